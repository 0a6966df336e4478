// The frame of every page. Looks live in assets/tocsin.css: the server's content policy allows no inline style or script.
import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { renderToString } from 'preact-render-to-string';
import type { Language } from '../../domain/language/speak.ts';
import { version } from '../project-root.ts';
import { assetAddress } from './asset-address.ts';
import { type Rendered, renderInPieces } from './in-pieces.tsx';
import { useLanguage } from './language.tsx';

export interface LayoutProps {
  title: string;
  /** The links beside the product's name. */
  navigation?: ComponentChildren;
  /** Who is signed in, their own pages, and the way out. */
  menu?: ComponentChildren;
  /** The way to whatever there is. */
  search?: ComponentChildren;
  /** What stands at the foot of the page. */
  note?: ComponentChildren;
  /** Above the content: what concerns the service as a whole. */
  banner?: ComponentChildren;
  refreshSeconds?: number | undefined;
  /** A script keeps it true: it is loaded again only without scripts. */
  isLive?: boolean;
  /** Files of the assets that make the page nicer; it works without them. */
  scripts?: readonly string[];
  /** Beside the one stylesheet of all pages. */
  styles?: readonly string[];
  children: ComponentChildren;
}

/** By which browsers subscribe to messages, where pages can be installed. */
export const PushKey = createContext<string | null>(null);

/** No code from attributes, no styles written by a script, and no copy of a page in the browser's storage. */
const HTMX_CONFIG = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  historyCacheSize: 0,
  allowScriptTags: false,
  // What came in listens at once: a second choice within 20 ms is not lost.
  defaultSettleDelay: 0,
});

export const Layout = ({
  title,
  navigation,
  menu,
  search,
  note,
  banner,
  refreshSeconds,
  isLive = false,
  scripts = [],
  styles = [],
  children,
}: LayoutProps) => {
  const { tag, direction, say } = useLanguage();
  return (
    <html lang={tag} dir={direction === 'rtl' ? direction : undefined}>
      <head>
        <meta charset="utf-8" />
        <title>{`${title} · Tocsin`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {refreshSeconds !== undefined && <Refresh seconds={refreshSeconds} isLive={isLive} />}
        {['tocsin.css', ...styles].map((name) => (
          <link key={name} rel="stylesheet" href={assetAddress(name)} />
        ))}
        <link rel="icon" type="image/svg+xml" href={assetAddress('tocsin.svg')} />
        <Installed />
        {scripts.length > 0 && <meta name="htmx-config" content={HTMX_CONFIG} />}
        {scripts.map((name) => (
          <script key={name} src={assetAddress(name)} defer />
        ))}
      </head>
      <body>
        <a class="skip-link" href="#content">
          {say('Skip to content')}
        </a>
        <header class="page-header">
          <a class="product" href="/">
            <img src={assetAddress('tocsin.svg')} alt="" width="28" height="28" />
            <span>Tocsin</span>
          </a>
          {navigation && <nav aria-label={say('Main')}>{navigation}</nav>}
          {search}
          {menu}
        </header>
        {banner}
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        <footer class="page-footer">
          {note}
          <span>Tocsin {version}</span>
          <a href="/docs">{say('HTTP interface')}</a>
        </footer>
      </body>
    </html>
  );
};

const Refresh = ({ seconds, isLive }: { seconds: number; isLive: boolean }) => {
  const again = <meta http-equiv="refresh" content={String(seconds)} />;
  return isLive ? <noscript>{again}</noscript> : again;
};

const Installed = () => {
  const pushKey = useContext(PushKey);
  return pushKey === null ? null : (
    <>
      <link rel="manifest" href={assetAddress('tocsin.webmanifest')} />
      <link rel="apple-touch-icon" href={assetAddress('icon-apple.png')} />
      <meta name="theme-color" content="#0f2d42" />
      <meta name="push-key" content={pushKey} />
    </>
  );
};

const DOCTYPE = '<!doctype html>\n';

/** For one that is short, or kept. */
export function renderPage<Props>(page: VNode<Props>): string {
  return `${DOCTYPE}${renderToString(page)}\n`;
}

export function renderLongPage<Props>(page: VNode<Props>, language: Language): Rendered {
  const drawn = renderInPieces(page, language);
  return typeof drawn === 'string'
    ? `${DOCTYPE}${drawn}\n`
    : drawn.then((html) => Buffer.concat([Buffer.from(DOCTYPE), html, Buffer.from('\n')]));
}
