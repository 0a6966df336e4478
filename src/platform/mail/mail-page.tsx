// The frame of every mail. Mail programs know tables and inline styles; what they may leave out is only the dark scheme.
import type { ComponentChildren, CSSProperties } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Language } from '../../domain/language/speak.ts';

/** Foreground and background of a severity, the same tokens as on the pages. */
export const TONES = {
  critical: { ink: '#971022', surface: '#fde5e7' },
  warning: { ink: '#6d4300', surface: '#ffefcb' },
  stale: { ink: '#4a3d8c', surface: '#ebe8fb' },
  normal: { ink: '#12593a', surface: '#dff3e8' },
  calm: { ink: '#0b5a8a', surface: '#e3eff7' },
} as const;

const INK = '#18212a';
const MUTED = '#52606d';
const LINE = '#d3dae1';
const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

const DARK = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#10161b!important}.card{background:#182028!important;border-color:#2d3944!important}
.ink{color:#e3e9ee!important}.muted{color:#a2afba!important}.line{border-color:#2d3944!important}
.link{color:#74bdee!important}
.critical{color:#ffb0b6!important;background:#54161f!important}.warning{color:#ffd07a!important;background:#443006!important}
.stale{color:#cdc5ff!important;background:#302a5a!important}.normal{color:#98deb5!important;background:#123924!important}
.calm{color:#a9d6f5!important;background:#0f3049!important}}
@media (max-width:520px){.pad{padding:16px!important}}`;

interface MailPageProps {
  language: Language;
  title: string;
  /** What a mailbox shows beside the subject. */
  preview: string;
  footer: ComponentChildren;
  children: ComponentChildren;
}

const MailPage = ({ language: { tag, direction }, title, preview, footer, children }: MailPageProps) => (
  <html lang={tag} dir={direction === 'rtl' ? direction : undefined}>
    <head>
      <meta charset="utf-8" />
      <title>{title}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <style>{DARK}</style>
    </head>
    <body class="page" style={{ margin: 0, padding: 0, background: '#f5f7f9' }}>
      <div style={{ display: 'none', maxHeight: 0, overflow: 'hidden' }}>{preview}</div>
      <Table style={{ width: '100%' }}>
        <tr>
          <td align="center" style={{ padding: '16px 8px' }}>
            <Table
              class="card"
              style={{
                width: '100%',
                maxWidth: '560px',
                background: '#ffffff',
                border: `1px solid ${LINE}`,
                borderRadius: '10px',
                borderCollapse: 'separate',
              }}
            >
              <tr>
                <td
                  class="pad"
                  style={{ padding: '24px', fontFamily: FONT, fontSize: '16px', lineHeight: 1.5 }}
                >
                  {children}
                </td>
              </tr>
            </Table>
            <Table style={{ width: '100%', maxWidth: '560px' }}>
              <tr>
                <td
                  class="muted"
                  style={{ padding: '12px 8px', fontFamily: FONT, fontSize: '13px', color: MUTED }}
                >
                  {footer}
                </td>
              </tr>
            </Table>
          </td>
        </tr>
      </Table>
    </body>
  </html>
);

interface TableProps {
  class?: string;
  style?: CSSProperties;
  children: ComponentChildren;
}

/** For layout alone: screen readers pass over it. */
export const Table = ({ class: className, style, children }: TableProps) => (
  <table
    role="presentation"
    cellPadding="0"
    cellSpacing="0"
    {...(className !== undefined && { class: className })}
    style={{ borderCollapse: 'collapse', ...style }}
  >
    <tbody>{children}</tbody>
  </table>
);

export const Badge = ({ tone, children }: { tone: keyof typeof TONES; children: string }) => (
  <span
    class={tone}
    style={{
      display: 'inline-block',
      padding: '4px 12px',
      borderRadius: '6px',
      fontWeight: 700,
      letterSpacing: '0.02em',
      color: TONES[tone].ink,
      background: TONES[tone].surface,
    }}
  >
    {children}
  </span>
);

export const Heading = ({ children }: { children: string }) => (
  <h1 class="ink" style={{ margin: '12px 0 4px', fontSize: '24px', lineHeight: 1.25, color: INK }}>
    {children}
  </h1>
);

export const Paragraph = ({ children }: { children: ComponentChildren }) => (
  <p class="ink" style={{ margin: '8px 0', color: INK }}>
    {children}
  </p>
);

/** `first`: the number of the first; null: they have none. */
export const List = ({ first, items }: { first: number | null; items: readonly ComponentChildren[] }) => {
  const style = { margin: '8px 0', paddingLeft: '24px', color: INK };
  const lines = items.map((item, index) => (
    <li key={index} style={{ margin: '4px 0' }}>
      {item}
    </li>
  ));
  return first === null ? (
    <ul class="ink" style={style}>
      {lines}
    </ul>
  ) : (
    <ol class="ink" style={style} start={first}>
      {lines}
    </ol>
  );
};

/** Large enough for a thumb. */
export const Button = ({ href, children }: { href: string; children: string }) => (
  <Table style={{ width: '100%', margin: '20px 0 8px' }}>
    <tr>
      <td align="center" style={{ background: '#0b5a8a', borderRadius: '8px' }}>
        <a
          href={href}
          style={{
            display: 'block',
            padding: '16px 24px',
            fontSize: '18px',
            fontWeight: 700,
            color: '#ffffff',
            textDecoration: 'none',
          }}
        >
          {children}
        </a>
      </td>
    </tr>
  </Table>
);

export const Link = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a href={href} class="link" style={{ color: '#0b5a8a' }}>
    {children}
  </a>
);

/** Names on the left, what they stand for on the right. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) => (
  <Table style={{ width: '100%', margin: '12px 0' }}>
    {facts.map(([name, value]) => (
      <tr key={name}>
        <td
          class="muted line"
          style={{
            padding: '6px 16px 6px 0',
            verticalAlign: 'top',
            whiteSpace: 'nowrap',
            color: MUTED,
            borderTop: `1px solid ${LINE}`,
          }}
        >
          {name}
        </td>
        <td
          class="ink line"
          style={{
            padding: '6px 0',
            width: '100%',
            color: INK,
            borderTop: `1px solid ${LINE}`,
            overflowWrap: 'anywhere',
          }}
        >
          {value}
        </td>
      </tr>
    ))}
  </Table>
);

export const renderMail = (props: MailPageProps): string =>
  `<!doctype html>\n${renderToString(<MailPage {...props} />)}\n`;
