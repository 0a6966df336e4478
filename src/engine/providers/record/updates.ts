// What people write to a provider, or press below a message, where it is asked for that.
import type { MethodKind } from '../../../domain/on-call/contact-method.ts';
import type { OutboundRequest } from '../../../platform/outbound/request-outbound.ts';

export interface Updates<Settings = unknown> {
  /** Under which programs take turns to ask. */
  kind: string;
  /** Whose addresses they come from. */
  via: MethodKind;
  /** It may wait that long for something to tell. */
  ask(settings: Settings, position: string | null, waitSeconds: number): OutboundRequest;
  read(result: unknown, text: string): Update[];
  answer(settings: Settings, to: AnswerTo, text: string): OutboundRequest;
  /** How long it wants to be left alone, where no header says so. */
  readPauseMs(fields: Readonly<Record<string, unknown>>): number | null;
  /** For the log: why it does not say what people wrote. */
  explainRefusal(status: number): string;
}

export interface Update {
  /** Once it is taken. */
  nextPosition: string;
  /** null: nothing that anybody here answers. */
  heard: Heard | null;
}

export type Heard = { to: AnswerTo } & (
  | {
      kind: 'pressed';
      /** null: of somebody else. */
      address: string | null;
      verb: ButtonVerb;
      /** null: of no letter. */
      letterId: string | null;
    }
  | {
      kind: 'written';
      address: string;
      text: string;
      /** As the provider names the message that it replies to; null: to none. */
      repliedTo: string | null;
    }
);

export type ButtonVerb = 'acknowledge' | 'pass_on';

type AnswerTo = { pressId: string } | { chatId: number };
