// What a browser or another program calls itself, in a few plain words. Anybody can claim anything: it helps to recognise
// one's own sessions, and decides nothing.

import type { Language } from '../language/speak.ts';

/** The first that fits counts: browsers pretend to be their elders. */
const BROWSERS: [sign: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  // Others say Safari too, but not which version.
  [/\bVersion\/[^ ]{1,40} (?:Mobile\/[^ ]{1,40} )?Safari\//, 'Safari'],
];

const SYSTEMS: [sign: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'a Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const find = (table: [RegExp, string][], text: string) => table.find(([sign]) => sign.test(text))?.[1];

export function describeProgram(userAgent: string | null, { say }: Language): string {
  if (userAgent === null) return say('A program without a name');
  const browser = find(BROWSERS, userAgent);
  const system = find(SYSTEMS, userAgent);
  if (browser) return system ? say('{browser} on {system}', { browser, system }) : browser;
  // Scripts say `curl/8.5.0`, `python-requests/2.32`: their name is what people know them by.
  const name = /^[\w.@-]{1,40}/.exec(userAgent)?.[0];
  if (name === 'Mozilla') return system ? say('A browser on {system}', { system }) : say('A browser');
  return name ?? say('An unknown program');
}
