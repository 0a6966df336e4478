/** One thing wrong with the file, and where a person finds it. */
export interface LabFileFault {
  line: number;
  column: number;
  /** Such as organizations[0].services[1].device.key; empty when the text is no YAML there. */
  path: string;
  message: string;
}

/** Gathers faults by path; knows where each path stands in the text. */
export interface FaultBook {
  mark(path: string, offset: number): void;
  add(path: string, message: string): void;
  addAt(offset: number, path: string, message: string): void;
  lineOf(path: string): number;
  isEmpty(): boolean;
  /** Whether something at or below it could not be read. */
  hasBelow(path: string): boolean;
  /** In the order of the text. */
  list(): LabFileFault[];
}

export function createFaultBook(positionOf: (offset: number) => { line: number; column: number }): FaultBook {
  const offsets = new Map<string, number>();
  const faults: LabFileFault[] = [];

  /** What is missing from the text stands where its parent does. */
  function offsetOf(path: string): number {
    const offset = offsets.get(path);
    if (offset !== undefined || path === '') return offset ?? 0;
    return offsetOf(path.replace(/(?:^|\.)[^.]*$/, ''));
  }

  function addAt(offset: number, path: string, message: string): void {
    faults.push({ ...positionOf(offset), path, message });
  }

  return {
    mark: (path, offset) => void offsets.set(path, offset),
    add: (path, message) => addAt(offsetOf(path), path, message),
    addAt,
    lineOf: (path) => positionOf(offsetOf(path)).line,
    isEmpty: () => faults.length === 0,
    hasBelow: (path) => faults.some((fault) => fault.path === path || fault.path.startsWith(`${path}.`)),
    list: () => faults.toSorted((a, b) => a.line - b.line || a.column - b.column),
  };
}
