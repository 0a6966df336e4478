import { expect } from 'vitest';

/** A whole page with this status: never cached, and with nothing that the content policy would stop. */
export async function expectPage(answer: Response, status: number): Promise<string> {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const html = await answer.text();
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
  const ownScripts = /<script src="\/assets\/[^"]+" defer><\/script>/g;
  expect(html.replaceAll(ownScripts, '')).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/i);
  return html;
}

/** What a reader sees of it, spaces as one. */
export const textOf = (html: string): string =>
  html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<(?:option|script)[\s\S]*?<\/(?:option|script)>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;:])/g, '$1');
