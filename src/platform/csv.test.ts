import { expect, test } from 'vitest';
import { nameDownload, writeCsvText } from './csv.ts';

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
])('%j is written as %j', (text, cell) => {
  expect(writeCsvText(text)).toBe(cell);
});

test.each([
  ['Freezer 1', 'readings-freezer-1-7.csv'],
  ['Gefriertruhe Köln', 'readings-gefriertruhe-koln-7.csv'],
  ['"; x=\r\ny', 'readings-x-y-7.csv'],
  ['冷凍庫', 'readings-7.csv'],
])('the file of %j is %s', (name, file) => {
  expect(nameDownload('readings', name, 7, 'csv')).toBe(file);
});
