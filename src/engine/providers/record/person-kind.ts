// What makes a kind of contact method, all in one record. CONTRIBUTING.md says how to add one.
import type { Language } from '../../../domain/language/speak.ts';
import type { OutboundAnswer, OutboundRequest } from '../../../platform/outbound/request-outbound.ts';
import type { Message } from './message.ts';
import type { Provider, Question, SettingsOf } from './provider.ts';

export interface PersonKind<By extends Provider | null = Provider | null> {
  /** On pages. */
  label: string;
  /** What a person types in. */
  addressLabel: string;
  hint: string;
  /** null: it has none. */
  secretLabel: string | null;
  /** Nobody is told without a secret. */
  needsSecret?: true;
  /** Nobody types it in: a browser says how it is reached, which proves it. */
  isOfBrowser?: true;
  /** What the operator sets up; null: nothing, it goes to a server that the person chose. */
  provider: By;
  /** Whether it can be told in that language. Left out: it can in all. */
  speaks?(language: Language): boolean;
  /** Whether these settings are enough for it. Left out: they are. */
  isServedBy?(settings: SettingsOf<By>): boolean;
  /** As it is stored. null: it is none. */
  readAddress(typed: string): string | null;
  /** On pages. Left out: as it is stored. */
  showAddress?(address: string): string;
  /** Where it goes is a person's choice, not the operator's. */
  isPersonsAddress: boolean;
  /** What the codes are made by with which a message is answered; null: nobody hears answers. */
  replySecret?(settings: SettingsOf<By>): string | null;
  post(
    message: Message,
    target: Target,
    settings: SettingsOf<By>,
    hooks: string | null,
    now: Date,
  ): OutboundRequest;
  /** In 15 minutes to one person, unless it is the first word on a critical alarm. */
  most?: number;
  /** Whether an answer with a status of success says so too. */
  isThanks?(text: string): boolean;
  /** By which its maker names the message. */
  findId?(text: string): string | null;
  /** How long it wants to be left alone, where no header says so. */
  readPause?(text: string, now: Date): number | null;
  /** The receiver is gone for good. */
  isGone?(answer: OutboundAnswer): boolean;
  /** The question that costs nothing, to a server that a person or a group chose. */
  askServer?(address: string): Question;
}

interface Target {
  address: string;
  secret: string | null;
}
