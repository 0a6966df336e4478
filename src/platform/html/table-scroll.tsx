import type { ComponentChildren } from 'preact';

/** Keeps a table that is wider than the screen from widening the page. */
export const TableScroll = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus a keyboard cannot scroll it in every browser
  <section class="table-scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
);

/** Of a table with the class `stacked`: where the columns have no room, the cell says which it is. */
export const Cell = ({ column, children, ...rest }: CellProps) => (
  <td data-column={column} class={rest.class}>
    {children}
  </td>
);

interface CellProps {
  column: string;
  class?: string;
  children: ComponentChildren;
}

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
