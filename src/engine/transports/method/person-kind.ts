// What makes a kind of contact method, all in one record.
import type { OutboundAnswer, OutboundPost } from '../../../platform/outbound/post-outbound.ts';
import type { Channels } from '../../../platform/read-channels.ts';
import type { Message } from './message.ts';
import type { MethodRecipient } from './recipient.ts';

export interface PersonKind {
  /** On pages. */
  label: string;
  /** What a person types in. */
  addressLabel: string;
  hint: string;
  /** null: it has none. */
  secretLabel: string | null;
  /** Whether the operator has set up what it needs. */
  isOffered: (channels: Channels) => boolean;
  /** As it is stored. null: it is none. */
  readAddress: (typed: string) => string | null;
  /** Where it goes is a person's choice, not the operator's. */
  isPersonsAddress: boolean;
  post: (
    message: Message,
    recipient: Target,
    channels: Channels,
    hooks: string | null,
    now: Date,
  ) => OutboundPost;
  /** In 15 minutes to one person, unless it is the first word on a critical alarm. */
  most?: number;
  /** Whether an answer with a status of success says so too. */
  isThanks?: (text: string) => boolean;
  /** By which its maker names the message. */
  findId?: (text: string) => string | null;
  /** The receiver is gone for good. */
  isGone?: (answer: OutboundAnswer) => boolean;
}

type Target = Pick<MethodRecipient, 'address' | 'secret'>;
