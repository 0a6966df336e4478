import { expect } from 'vitest';
import type { TestServer } from './test-server.ts';

export const HX = { 'hx-request': 'true' };

export async function expectDetail(answer: Response, status: number, detail: unknown): Promise<void> {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await answer.json()).toEqual({ detail });
}

/** A 422 about one field. */
export const expectField = (answer: Response, place: string, field: string, input: string) =>
  expectDetail(answer, 422, [
    { type: expect.any(String), loc: [place, field], msg: expect.any(String), input },
  ]);

export async function expectFragment(answer: Response): Promise<string> {
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await answer.text();
  expect(html).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|<html/i);
  return html;
}

export const anonymously = (server: TestServer, path: string, init: RequestInit = {}) =>
  fetch(server.url + path, { redirect: 'manual', ...init });
