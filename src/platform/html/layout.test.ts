import { h } from 'preact';
import { expect, test } from 'vitest';
import { Layout, renderPage } from './layout.tsx';

test('a page begins with its doctype and names itself in the title', () => {
  const page = renderPage(h(Layout, { title: 'Alarms', children: 'All quiet' }));
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(page).toContain('<title>Alarms · Tocsin</title>');
  expect(page).toContain('<main id="content" tabindex="-1">All quiet</main>');
});

test('what comes from outside is escaped', () => {
  const page = renderPage(h(Layout, { title: '</title><script>', children: '<script>alert(1)</script>' }));
  expect(page).not.toContain('<script>');
});

test('a page without navigation has no empty landmark', () => {
  expect(renderPage(h(Layout, { title: 'Sign in', children: null }))).not.toContain('<nav');
  expect(renderPage(h(Layout, { title: 'Alarms', navigation: 'Services', children: null }))).toContain(
    '<nav aria-label="Main">Services</nav>',
  );
});
