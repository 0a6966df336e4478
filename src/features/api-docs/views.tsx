import { Layout } from '../../platform/html/layout.tsx';
import { TableScroll } from '../../platform/html/table-scroll.tsx';
import type { AnswerModel, FieldModel, OperationModel, SectionModel } from './describe-operations.ts';
import type { NamedShape, Shape, Words } from './describe-schema.ts';
import { Introduction } from './introduction.tsx';

export interface DocsPageModel {
  server: string;
  sections: SectionModel[];
  shapes: NamedShape[];
}

export const DocsPage = ({ server, sections, shapes }: DocsPageModel) => (
  <Layout title="HTTP interface" navigation={<a href="/api/v1/openapi.json">openapi.json</a>}>
    <div class="with-contents">
      <Contents sections={sections} />
      <div class="docs">
        <Introduction server={server} />
        {sections.map((section) => (
          <Section key={section.anchor} {...section} />
        ))}
        <SharedShapes shapes={shapes} />
      </div>
    </div>
  </Layout>
);

const Contents = ({ sections }: Pick<DocsPageModel, 'sections'>) => (
  <nav class="contents" id="contents" aria-label="Contents">
    <ul>
      <li>
        <a href="#introduction">Introduction</a>
      </li>
      {sections.map(({ anchor, name, operations }) => (
        <li key={anchor}>
          <a href={`#${anchor}`}>{name}</a>
          <ul>
            {operations.map((operation) => (
              <li key={operation.anchor}>
                <a href={`#${operation.anchor}`}>
                  <Method method={operation.method} /> <span>{operation.summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>
        <a href="#shared-shapes">Shared shapes</a>
      </li>
    </ul>
  </nav>
);

const Section = ({ anchor, name, description, operations }: SectionModel) => (
  <section aria-labelledby={anchor}>
    <h2 id={anchor}>
      {name}
      <BackToContents />
    </h2>
    <p class="lead">
      <Text words={description} />
    </p>
    {operations.map((operation) => (
      <Operation key={operation.anchor} {...operation} />
    ))}
  </section>
);

const Operation = (operation: OperationModel) => (
  <article class="operation" id={operation.anchor} aria-labelledby={`${operation.anchor}-path`}>
    <h3 id={`${operation.anchor}-path`}>
      <a class="operation-link" href={`#${operation.anchor}`}>
        <Method method={operation.method} />{' '}
        <code class="path">
          <Breakable text={operation.path} />
        </code>
      </a>
    </h3>
    <p class="summary">{operation.summary}</p>
    {operation.description.length > 0 && (
      <p>
        <Text words={operation.description} />
      </p>
    )}
    <div class="operation-parts">
      <div>
        <h4>Request</h4>
        <Bearer variable={operation.bearer} />
        {operation.fields.length > 0 && <Fields fields={operation.fields} of={operation.anchor} />}
        {operation.body && <ShapeView {...operation.body} />}
        <pre>
          <code>{operation.example}</code>
        </pre>
      </div>
      <div>
        <h4>Answers</h4>
        <dl class="answers">
          {operation.answers.map((answer) => (
            <AnswerView key={answer.status} {...answer} />
          ))}
        </dl>
      </div>
    </div>
  </article>
);

const Bearer = ({ variable }: { variable: string | null }) =>
  variable === null ? (
    <p class="muted">No token needed.</p>
  ) : (
    <p class="muted">
      Send the header <code>Authorization: Bearer {variable}</code>.
    </p>
  );

const Fields = ({ fields, of }: { fields: FieldModel[]; of: string }) => (
  <TableScroll label={`Parameters and form fields of ${of}`}>
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Required</th>
          <th scope="col">Type</th>
          <th scope="col">Constraints</th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ place, name, isRequired, type, constraints, description }) => (
          <tr key={`${place} ${name}`}>
            <th scope="row">
              <code>
                <Breakable text={name} />
              </code>
              <div class="muted">{place}</div>
            </th>
            <td>{isRequired ? 'yes' : 'no'}</td>
            <td>{type}</td>
            <td>{constraints}</td>
            <td class="prose">
              <Text words={description} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableScroll>
);

const AnswerView = ({ status, kind, description, headers, contentType, shape }: AnswerModel) => (
  <div class={`answer answer-${kind}`}>
    <dt>
      <code>{status}</code>
    </dt>
    <dd>
      <p>
        <Text words={description} />
        {contentType && (
          <>
            {' '}
            <code>{contentType}</code>
          </>
        )}
      </p>
      {headers.map(({ name, description: meaning }) => (
        <p key={name}>
          Header <code>{name}</code>: <Text words={meaning} />
        </p>
      ))}
      {shape && <ShapeView {...shape} />}
    </dd>
  </div>
);

const ShapeView = (shape: Shape) => (
  <div class="shape">
    <ShapeType {...shape} />
    <ShapeParts {...shape} />
  </div>
);

const ShapeType = ({ type, link }: Shape) =>
  link ? (
    <a class="type" href={`#${link.anchor}`}>
      {type}
    </a>
  ) : (
    <span class="type">{type}</span>
  );

const ShapeParts = ({ fields, choices }: Shape) => (
  <>
    {fields.length > 0 && (
      <ul class="shape-parts">
        {fields.map((field) => (
          <li key={field.name}>
            <div class="shape-field">
              <div>
                <code class="shape-name">{field.name}</code>
                {!field.isRequired && <span class="muted"> optional</span>} <ShapeType {...field} />
              </div>
              {field.note.length > 0 && (
                <div class="shape-note">
                  <Text words={field.note} />
                </div>
              )}
            </div>
            <ShapeParts {...field} />
          </li>
        ))}
      </ul>
    )}
    {choices.length > 0 && (
      <ul class="shape-parts">
        {choices.map((choice, index) => (
          <li key={choice.type}>
            <span class="muted">{index === 0 ? 'either' : 'or'}</span> <ShapeType {...choice} />
            <ShapeParts {...choice} />
          </li>
        ))}
      </ul>
    )}
  </>
);

const SharedShapes = ({ shapes }: Pick<DocsPageModel, 'shapes'>) => (
  <section aria-labelledby="shared-shapes">
    <h2 id="shared-shapes">
      Shared shapes
      <BackToContents />
    </h2>
    {shapes.map(({ name, anchor, shape }) => (
      <article key={anchor} class="operation" id={anchor}>
        <h3>
          <code>{name}</code>
        </h3>
        <ShapeView {...shape} />
      </article>
    ))}
  </section>
);

const Method = ({ method }: { method: string }) => (
  <span class={`method method-${method.toLowerCase()}`}>{method}</span>
);

/** Long paths and names may break before a slash and after an underscore. */
const Breakable = ({ text }: { text: string }) => (
  <>
    {text.split(/(?=\/)|(?<=_)/).map((part) => (
      <>
        <wbr />
        {part}
      </>
    ))}
  </>
);

const BackToContents = () => (
  <a class="back" href="#contents">
    Contents
  </a>
);

const Text = ({ words }: { words: Words }) => (
  <>{words.map(({ text, isCode }) => (isCode ? <code>{text}</code> : text))}</>
);
