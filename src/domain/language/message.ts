// What people read, written in English where it is used: an ICU message. The compiler reads from its text which facts it needs.

/** `{count, plural, …}` needs a number, `{which, select, …}` a text, `{name}` either. */
type Kind<Name extends string, Head extends string> = Head extends `${string}, plural,${string}`
  ? { [One in Name]: number }
  : Head extends `${string}, select,${string}`
    ? { [One in Name]: string }
    : { [One in Name]: string | number };

type NameIn<Head extends string> = Head extends `${infer Name},${string}` ? Name : Head;

/**
 * From brace to brace. `Depth` says for each open brace whether it is that of an argument (`a`) or of one of its forms (`f`);
 * in a form and outside of all of them, a brace begins an argument.
 */
type Read<Text extends string, Depth extends string, Found> = Depth extends `a${infer Outer}`
  ? ReadForms<Text, Outer, Found>
  : Text extends `${infer Before}{${infer After}`
    ? Before extends `${string}}${string}`
      ? CloseForm<Text, Depth, Found>
      : After extends `${infer Head}}${infer Rest}`
        ? Head extends `${infer Opening}{${string}`
          ? After extends `${Opening}{${infer Form}`
            ? Read<Form, `fa${Depth}`, Found & Kind<NameIn<Opening>, Opening>>
            : never
          : Read<Rest, Depth, Found & Kind<NameIn<Head>, Head>>
        : never
    : Text extends `${string}}${string}`
      ? CloseForm<Text, Depth, Found>
      : Found;

type CloseForm<Text extends string, Depth extends string, Found> = Depth extends `f${infer Outer}`
  ? Text extends `${string}}${infer Rest}`
    ? Read<Rest, Outer, Found>
    : never
  : never;

/** Between the forms of an argument: another form, or its end. */
type ReadForms<
  Text extends string,
  Outer extends string,
  Found,
> = Text extends `${infer Before}}${infer Rest}`
  ? Before extends `${string}{${string}`
    ? Text extends `${string}{${infer Form}`
      ? Read<Form, `fa${Outer}`, Found>
      : never
    : Read<Rest, Outer, Found>
  : never;

type FactsIn<Message extends string> = Read<Message, '', unknown>;

type NamesIn<Message extends string> = keyof FactsIn<Message> & string;

/** No fact: nothing more is given. A text that is not known before the program runs has no translation. */
export type WithFacts<Message extends string> = string extends Message
  ? [never]
  : [NamesIn<Message>] extends [never]
    ? []
    : [facts: { [Name in NamesIn<Message>]: FactsIn<Message>[Name] }];

type TagsIn<Message extends string> = Message extends `${string}</${infer Name}>${infer Rest}`
  ? Name | TagsIn<Rest>
  : never;

/** With `<a>…</a>` in it: how each of them is drawn; other facts may be drawn as well. */
export type WithParts<Message extends string, Part> = string extends Message
  ? [never]
  : [
      parts: { [Tag in TagsIn<Message>]: (inside: (string | Part)[]) => Part } & {
        [Name in NamesIn<Message>]:
          | FactsIn<Message>[Name]
          | (FactsIn<Message>[Name] extends number ? never : Part);
      },
    ];

/** Marks a text of a table that is said elsewhere, so that it is found for translators. */
export const message = <const Text extends string>(text: Text): Text => text;
