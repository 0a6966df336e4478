// The frame of every page. Looks live in assets/tocsin.css: the server's content policy allows no inline style or script.
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { version } from '../project-root.ts';

export interface LayoutProps {
  title: string;
  /** The links beside the product's name. */
  navigation?: ComponentChildren;
  children: ComponentChildren;
}

export const Layout = ({ title, navigation, children }: LayoutProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>{`${title} · Tocsin`}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <link rel="stylesheet" href="/assets/tocsin.css" />
      <link rel="icon" type="image/svg+xml" href="/assets/tocsin.svg" />
    </head>
    <body>
      <a class="skip-link" href="#content">
        Skip to content
      </a>
      <header class="page-header">
        <a class="product" href="/">
          <img src="/assets/tocsin.svg" alt="" width="28" height="28" />
          Tocsin
        </a>
        {navigation && <nav aria-label="Main">{navigation}</nav>}
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="page-footer">
        <span>Tocsin {version}</span>
        <a href="/docs">HTTP interface</a>
      </footer>
    </body>
  </html>
);

export function renderPage<Props>(page: VNode<Props>): string {
  return `<!doctype html>\n${renderToString(page)}\n`;
}
