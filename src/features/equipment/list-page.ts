const PAGE_SIZE = 100;
const MOST_PAGES = 10_000;

/** A page of a long list, by the number in its address. One row more than shown is read, to know whether there are more. */
export function readListPage(asked: string | undefined) {
  const number = /^[1-9][0-9]{0,4}$/.test(asked ?? '') ? Number(asked) : 1;
  const page = Math.min(number, MOST_PAGES);
  return {
    page,
    skip: (page - 1) * PAGE_SIZE,
    most: PAGE_SIZE + 1,
    cut: <Row, Name extends string>(rows: Row[], name: Name) =>
      ({ [name]: rows.slice(0, PAGE_SIZE), hasMore: rows.length > PAGE_SIZE }) as Record<Name, Row[]> & {
        hasMore: boolean;
      },
  };
}
