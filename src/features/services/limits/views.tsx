/** What came of removing a band. */
export const BandNotice = ({ text, isDone }: { text: string; isDone: boolean }) => (
  <p role={isDone ? 'status' : 'alert'}>{text}</p>
);
