// Other people's code in QuickJS, where it can reach nothing of ours: one memory for all codecs of the thread, and in it a
// runtime for each.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import type { CodecAnswer, CodecTask } from './codec-task.ts';

const MEMORY_BYTES = 8 * 1024 * 1024;
const STACK_BYTES = 256 * 1024;
/** To load it, where that has to be, and to call it. */
const LONGEST_MS = 50;
/** To read what it throws. */
const TELLING_MS = 10;
/** Whoever has not answered by then is inside a part of the language that cannot be interrupted. */
export const SURELY_DONE_MS = LONGEST_MS + TELLING_MS + 20;
export const TAKES_TOO_LONG = `it takes longer than ${LONGEST_MS} ms`;
const MOST_OUTPUT = 64 * 1024;
const MOST_CONTEXTS = 32;
/** Of all together, in pages of 64 KB. */
const PAGES = { initial: 256, maximum: 1024 };
/** A codec that is slow because the machine stands still has not come so far: each is some thousand steps. */
const FEWEST_LOOKS = 20;
const LONGEST_MESSAGE = 200;

interface Codec {
  organizationId: number;
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

export interface Runner {
  /** `breaks`: there may be no memory left, or worse. Nothing runs here any more. */
  work(task: CodecTask, longestMs?: number): CodecAnswer & { breaks: boolean };
}

const WARM_UP: CodecTask = {
  id: 0,
  sourceId: null,
  organizationId: 0,
  code: 'function decodeUplink(i) { return { data: { t: i.bytes.map((b) => b / 10).join() } }; }',
  input: '{"bytes":[1,2,3],"fPort":1,"recvTime":0,"variables":{}}',
};

/** The first payloads are slow, for QuickJS itself is made ready meanwhile; that must be nobody's fault. */
export function warmUp({ work }: Runner): void {
  for (let time = 0; time < 20; time += 1) work(WARM_UP, Number.POSITIVE_INFINITY);
}

const wasmFile = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
const wasmModule = await WebAssembly.compile(await readFile(wasmFile));

/** With nothing in it of what ran before. */
export async function openRunner(): Promise<Runner> {
  const quickjs = await newQuickJSWASMModuleFromVariant(
    // Its types are those of CommonJS, and not of what is imported here.
    newVariant(variant as unknown as QuickJSSyncVariant, {
      wasmModule,
      wasmMemory: new WebAssembly.Memory(PAGES),
    }),
  );
  return runIn(quickjs);
}

function runIn(quickjs: QuickJSWASMModule): Runner {
  /** Those that were used last come last. */
  const codecs = new Map<number, Codec>();
  let deadline = Number.POSITIVE_INFINITY;
  let looks = 0;

  function openCodec(organizationId: number): Codec {
    const runtime = quickjs.newRuntime();
    runtime.setMemoryLimit(MEMORY_BYTES);
    runtime.setMaxStackSize(STACK_BYTES);
    const context = runtime.newContext();
    const run = context.unwrapResult(context.evalCode(RUN, 'run', { type: 'global' }));
    runtime.setInterruptHandler(() => {
      looks += 1;
      return looks > FEWEST_LOOKS && performance.now() > deadline;
    });
    return { organizationId, runtime, context, run };
  }

  function keep(sourceId: number, codec: Codec): void {
    codecs.delete(sourceId);
    codecs.set(sourceId, codec);
    if (codecs.size > MOST_CONTEXTS) closeOne();
  }

  /** The oldest of whoever has most. */
  function closeOne(): void {
    const byOwner = new Map<number, number[]>();
    for (const [sourceId, { organizationId }] of codecs)
      byOwner.set(organizationId, [...(byOwner.get(organizationId) ?? []), sourceId]);
    const [[oldest]] = [...byOwner.values()].sort((one, other) => other.length - one.length) as [[number]];
    close(codecs.get(oldest) as Codec);
    codecs.delete(oldest);
  }

  function load({ context }: Codec, code: string): void {
    const result = context.evalCode(code, 'codec', { type: 'global' });
    if (result.error) throw new CodecFailure(describe(context, result.error));
    result.value.dispose();
  }

  function call({ context, run }: Codec, input: string): string {
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
    deadline = performance.now() + TELLING_MS;
    try {
      const thrown: unknown = context.dump(error);
      const { name, message } = (
        typeof thrown === 'object' && thrown !== null ? thrown : {}
      ) as Partial<Error>;
      if (message === 'interrupted') return TAKES_TOO_LONG;
      const text = typeof message === 'string' ? `${name ?? 'Error'}: ${message}` : String(thrown);
      return text.slice(0, LONGEST_MESSAGE).toWellFormed() || 'it throws nothing that could be told';
    } catch {
      return 'it throws something that cannot be told';
    } finally {
      error.dispose();
    }
  }

  return {
    work({ id, sourceId, organizationId, code, input }, longestMs = LONGEST_MS) {
      deadline = performance.now() + longestMs;
      looks = 0;
      let codec = sourceId === null ? undefined : codecs.get(sourceId);
      try {
        if (!codec) {
          codec = openCodec(organizationId);
          load(codec, code);
        }
        const output = call(codec, input);
        if (sourceId === null) close(codec);
        else keep(sourceId, codec);
        return { id, output, failure: '', breaks: false };
      } catch (error) {
        if (!(error instanceof CodecFailure) || !codec)
          return { id, output: null, failure: 'it breaks what it runs in', breaks: true };
        // Whatever it has left behind goes with it, before anybody hears of it: what breaks here is its own fault.
        if (sourceId !== null) codecs.delete(sourceId);
        close(codec);
        return { id, output: null, failure: error.message, breaks: error.message.includes('out of memory') };
      }
    },
  };
}

function close({ runtime, context, run }: Codec): void {
  run.dispose();
  context.dispose();
  runtime.dispose();
}
