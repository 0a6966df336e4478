import type { ComponentChildren } from 'preact';

/** Keeps a table that is wider than the screen from widening the page. */
export const TableScroll = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus a keyboard cannot scroll it in every browser
  <section class="table-scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
);

export const ColumnHeads = ({ columns }: { columns: readonly string[] }) => (
  <thead>
    <tr>
      {columns.map((column) => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
    </tr>
  </thead>
);
