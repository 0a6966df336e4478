import { Fragment } from 'preact';

/** Where a service belongs, below its name. Organization and location each stay in one piece while there is room. */
export const Place = ({ parts }: { parts: readonly string[] }) =>
  parts.length === 0 ? null : (
    <div class="place muted">
      {parts.map((part, index) => (
        <Fragment key={part}>
          {index > 0 && ' '}
          <span>{index === 0 ? part : `· ${part}`}</span>
        </Fragment>
      ))}
    </div>
  );
