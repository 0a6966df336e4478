// The bare HTTP server: request ids, log lines, form bodies and the error contract. It knows no route and nobody who asks.
import { randomUUID } from 'node:crypto';
import {
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import cookie from '@fastify/cookie';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyTypeProvider,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { compressPages } from './compress.ts';
import { type AnswerErrorPage, answerErrorsBy, answerFaultsBy, answerUnknownRoutes } from './errors.ts';
import { readFields } from './fields.ts';
import { parseMultipartForm, parseUrlencodedForm } from './form-body.ts';
import { letIn } from './let-in.ts';
import { type PreparedHead, prepareHead } from './prepared-head.ts';
import { openHeaders, secureHeaders } from './secure-headers.ts';
import { answerUnreadableRequest, cutOffUnread } from './unread.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Read once, when the request arrives. */
    now: Date;
  }
  interface FastifyContextConfig {
    /** Contract, Order of checks: token, logout and the health checks answer whatever token comes along. */
    ignoresCredentials?: boolean;
  }
}

interface TypeBox extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
}

export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBox
>;

/** Whether it took the request: then nobody else answers it. `head`: what every answer carries. */
export type PassBy = (request: IncomingMessage, response: ServerResponse, head: PreparedHead) => boolean;

export interface ServerDeps {
  clock: Clock;
  log: Log;
  metrics: Metrics | null;
  answerErrorPage: AnswerErrorPage;
  /** For the log. */
  findAccountId: (request: FastifyRequest) => number | undefined;
  passBy: PassBy;
  config: Pick<Config, 'trustProxy' | 'tls' | 'connections' | 'requestTimeoutSeconds'>;
  /** As it is in force. */
  publicUrl: () => URL | null;
}

/** What a form may come as. */
export const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];

const BODY_LIMIT = 1024 * 1024;
const LEAVE_WITHIN_MS = 30_000;
const HEADERS_WITHIN_SECONDS = 20;
/** How soon it is noticed that a request takes too long to arrive. */
const LOOK_EVERY_MS = 1_000;
const KEEP_ALIVE_MS = 72_000;
const PLACES = { params: 'path', body: 'body', querystring: 'query' } as const;

export async function createServer(deps: ServerDeps): Promise<HttpServer> {
  const { config } = deps;
  const answerFault = answerFaultsBy(deps.answerErrorPage);
  const answerError = answerErrorsBy(answerFault);
  const app = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy === 'nearest' ? (_, hop) => hop === 0 : config.trustProxy,
    bodyLimit: BODY_LIMIT,
    // A request that is under way when the program stops is answered like any other.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: answerError as never,
    clientErrorHandler: answerUnreadableRequest,
    serverFactory: (handle) => openServer(deps, handle),
  }).withTypeProvider<TypeBox>() as unknown as HttpServer;

  app.decorateRequest('now');
  app.setErrorHandler(answerError);
  readForms(app);
  await app.register(cookie);
  secureHeaders(app, { ...config, publicUrl: deps.publicUrl });
  warnOfUntrustedProxy(app, deps.log);
  letIn(app as unknown as FastifyInstance, deps);
  cutOffUnread(app as unknown as FastifyInstance);

  app.addHook('onRequest', async (request, reply) => {
    request.now = deps.clock();
    reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
    // The framework would refuse a content type it cannot parse; it counts as any other that is not a form.
    if (!/^[^\s/;]+\/[^\s/;]+/.test(request.headers['content-type'] ?? ''))
      delete request.headers['content-type'];
  });
  answerUnknownRoutes(app as unknown as FastifyInstance, answerFault);
  compressPages(app as unknown as FastifyInstance);
  leaveInOrder(app);

  // The route's pattern, never the path: paths may carry secrets.
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    const { statusCode: status, elapsedTime: ms } = reply;
    const route = request.routeOptions.url ?? 'unknown';
    deps.metrics?.observeRequest({ method, route, status: String(status) }, ms / 1000);
    request.log.info(
      { method, route, status, ms: Math.round(ms), accountId: deps.findAccountId(request) },
      'answered',
    );
  });
  return app;
}

/** Requests that are passed by never reach the framework. */
function openServer({ config, publicUrl, passBy }: ServerDeps, handle: RequestListener): Server {
  const requestTimeout = 1000 * config.requestTimeoutSeconds;
  const options = {
    requestTimeout,
    headersTimeout: Math.min(1000 * HEADERS_WITHIN_SECONDS, requestTimeout),
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
  };
  const head = openHeaders({ ...config, publicUrl }, (headers) => prepareHead(headers, KEEP_ALIVE_MS));
  const listener: RequestListener = (request, response) => {
    if (!passBy(request, response, head())) handle(request, response);
  };
  return config.tls ? createHttps({ ...config.tls, ...options }, listener) : createHttp(options, listener);
}

/** Once: behind a proxy that is not trusted everybody seems to come from its address, and shares its counters. */
function warnOfUntrustedProxy(app: HttpServer, log: Log): void {
  let isSaid = false;
  app.addHook('onRequest', async ({ headers, ip, ips }) => {
    if (isSaid || headers['x-forwarded-for'] === undefined || (ips && ips.length > 1)) return;
    isSaid = true;
    log.warn(
      { from: ip },
      'X-Forwarded-For comes from an address that is not trusted: if it is your proxy, name it in TOCSIN_TRUST_PROXY',
    );
  });
}

/** While the program stops, a connection goes as soon as its last request is answered: a kept one would hold it up. */
function leaveInOrder(app: HttpServer): void {
  app.addHook('preClose', async () => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => app.server.closeAllConnections(), LEAVE_WITHIN_MS);
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(deadline);
    });
  });
}

/** Forms are urlencoded or multipart; another content type counts as an empty form. */
function readForms(app: HttpServer): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_: unknown, body: Buffer) => parseUrlencodedForm(body),
  );
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer) =>
      parseMultipartForm(body, request.headers['content-type'] ?? ''),
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => ({}));
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const place = PLACES[httpPart as keyof typeof PLACES];
    return (sent) => readFields(schema as unknown as TObject, sent, place);
  });
}
