import type { SourceMapPayload } from 'node:module';

export function keepOwnLines(map: SourceMapPayload): SourceMapPayload;
