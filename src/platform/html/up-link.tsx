/** The way back to what a page is a part of. */
export const UpLink = ({ path, label }: { path: string; label: string }) => (
  <p class="up">
    <a class="lone-link" href={path}>
      {label}
    </a>
  </p>
);
