// The few things of htmx that our scripts use.
interface Htmx {
  process(element: Element): void;
}

/** Takes up the attributes of elements that came by other ways than its own. */
export const takeUp = (element: Element): void => {
  (globalThis as { htmx?: Htmx }).htmx?.process(element);
};
