// The entry of the thread in which codecs run: other people's code, in QuickJS, where it can reach nothing of ours.
import { parentPort } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { type CodecAnswer, type CodecTask, READY } from './codec-task.ts';

const MEMORY_BYTES = 8 * 1024 * 1024;
const STACK_BYTES = 256 * 1024;
const LONGEST_MS = 50;
const MOST_OUTPUT = 64 * 1024;
/** Of which each may hold its memory. */
const MOST_CONTEXTS = 32;
const LONGEST_MESSAGE = 200;

interface Codec {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  run: QuickJSHandle;
}

/** The codec said something else than a decoded payload. */
class CodecFailure extends Error {}

// What it needs of the language is taken before the codec can change it.
const RUN = `(() => {
  const { parse, stringify } = JSON;
  const Time = Date;
  const quiet = () => {};
  globalThis.console = { log: quiet, info: quiet, debug: quiet, warn: quiet, error: quiet };
  return (text) => {
    const { bytes, fPort, recvTime, variables } = parse(text);
    const recvAt = new Time(recvTime);
    let made;
    if (typeof decodeUplink === 'function') made = decodeUplink({ bytes, fPort, recvTime: recvAt, variables });
    else if (typeof Decoder === 'function') made = { data: Decoder(bytes, fPort) };
    else if (typeof Decode === 'function') made = { data: Decode(fPort, bytes, variables) };
    else throw new Error('there is no function decodeUplink, Decoder or Decode');
    const { data, errors } = made ?? {};
    const isGood = data !== undefined && !(errors && errors.length > 0);
    const normalized = isGood && typeof normalizeUplink === 'function' ? normalizeUplink({ data })?.data : undefined;
    const output = stringify({ data, errors, normalized });
    if (output.length > ${MOST_OUTPUT}) throw new Error('it makes more than ${MOST_OUTPUT / 1024} KB');
    return output;
  };
})()`;

// Its types are those of CommonJS, and not of what is imported here.
const quickjs = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
/** Those that were used last come last. */
const codecs = new Map<number, Codec>();
let deadline = Number.POSITIVE_INFINITY;

// The first one is slow, for QuickJS itself is made ready meanwhile; that must be nobody's fault.
const WARM_UP = 'function decodeUplink(i) { return { data: { t: i.bytes.map((b) => b / 10).join() } }; }';
warmUp();

parentPort?.on('message', (task: CodecTask) => parentPort?.postMessage(work(task)));
parentPort?.postMessage(READY);

function work({ id, sourceId, code, input }: CodecTask): CodecAnswer {
  const known = sourceId === null ? undefined : codecs.get(sourceId);
  const codec = known ?? openCodec();
  try {
    if (!known) load(codec, code);
    const output = call(codec, input);
    if (sourceId === null) close(codec);
    else keep(sourceId, codec);
    return { id, output, failure: '' };
  } catch (error) {
    if (!(error instanceof CodecFailure)) throw error;
    // Whatever it has left behind goes with it, before anybody hears of it: what breaks here is its own fault.
    if (sourceId !== null) codecs.delete(sourceId);
    close(codec);
    return { id, output: null, failure: error.message };
  }
}

function keep(sourceId: number, codec: Codec): void {
  codecs.delete(sourceId);
  codecs.set(sourceId, codec);
  for (const [oldest, old] of codecs) {
    if (codecs.size <= MOST_CONTEXTS) break;
    codecs.delete(oldest);
    close(old);
  }
}

function openCodec(): Codec {
  const runtime = quickjs.newRuntime();
  runtime.setMemoryLimit(MEMORY_BYTES);
  runtime.setMaxStackSize(STACK_BYTES);
  const context = runtime.newContext();
  const run = context.unwrapResult(context.evalCode(RUN, 'run', { type: 'global' }));
  runtime.setInterruptHandler(() => performance.now() > deadline);
  return { runtime, context, run };
}

function warmUp(): void {
  const codec = openCodec();
  load(codec, WARM_UP, Number.POSITIVE_INFINITY);
  for (let time = 0; time < 100; time += 1)
    call(codec, '{"bytes":[1,2,3],"fPort":1,"recvTime":0,"variables":{}}', Number.POSITIVE_INFINITY);
  close(codec);
}

function close({ runtime, context, run }: Codec): void {
  run.dispose();
  context.dispose();
  runtime.dispose();
}

function load({ context }: Codec, code: string, longestMs = LONGEST_MS): void {
  deadline = performance.now() + longestMs;
  const result = context.evalCode(code, 'codec', { type: 'global' });
  if (result.error) throw new CodecFailure(describe(context, result.error));
  result.value.dispose();
}

function call({ context, run }: Codec, input: string, longestMs = LONGEST_MS): string {
  deadline = performance.now() + longestMs;
  const text = context.newString(input);
  const result = context.callFunction(run, context.undefined, text);
  text.dispose();
  if (result.error) throw new CodecFailure(describe(context, result.error));
  const output = context.getString(result.value);
  result.value.dispose();
  return output;
}

function describe(context: QuickJSContext, error: QuickJSHandle): string {
  // While it is told, too.
  deadline = performance.now() + LONGEST_MS;
  try {
    const thrown: unknown = context.dump(error);
    const { name, message } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Partial<Error>;
    if (message === 'interrupted') return `it takes longer than ${LONGEST_MS} ms`;
    const text = typeof message === 'string' ? `${name ?? 'Error'}: ${message}` : String(thrown);
    return text.slice(0, LONGEST_MESSAGE).toWellFormed() || 'it throws nothing that could be told';
  } catch {
    return 'it throws something that cannot be told';
  } finally {
    error.dispose();
  }
}
