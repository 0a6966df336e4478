// What people press below a message of the bot, or write to it. Telegram proves who they are.
import { writeJsonRequest } from '../../letters/webhook-kind.ts';
import type { Heard, Update, Updates } from '../record/updates.ts';
import { atBot, type TelegramSettings } from './at-bot.ts';
import { readButtonData } from './button-data.ts';

interface Given {
  update_id: number;
  callback_query?: {
    id: string;
    from: { id: number };
    /** What the button hangs on; left out where that is not known. */
    message?: { chat: { id: number; type: string } };
    data?: string;
  };
  message?: {
    message_id: number;
    from?: { id: number };
    chat: { id: number; type: string };
    text?: string;
    reply_to_message?: { message_id: number };
  };
}

const MOST_AT_ONCE = 5;
const CONFLICT = 409;

export const updates: Updates<TelegramSettings> = {
  kind: 'telegram',
  via: 'telegram',
  ask: (bot, position, waitSeconds) =>
    askBot(bot, 'getUpdates', {
      ...(position !== null && { offset: Number(position) }),
      timeout: waitSeconds,
      limit: MOST_AT_ONCE,
      allowed_updates: ['callback_query', 'message'],
    }),
  read: (result, text) => {
    if (Array.isArray(result))
      return (result as Given[])
        .filter((update) => Number.isSafeInteger(update?.update_id))
        .map((update) => ({ ...passed(update.update_id), heard: hear(update) }));
    // One that is longer than what is read of an answer would come again for ever.
    const [, first] = /"update_id"\s*:\s*(\d{1,15})/.exec(text) ?? [];
    return first === undefined ? [] : [{ ...passed(Number(first)), heard: null }];
  },
  answer: (bot, to, text) =>
    'pressId' in to
      ? askBot(bot, 'answerCallbackQuery', { callback_query_id: to.pressId, text })
      : askBot(bot, 'sendMessage', { chat_id: to.chatId, text }),
  readPauseMs: ({ parameters }) => {
    const { retry_after: seconds } = (parameters ?? {}) as { retry_after?: unknown };
    return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, 3_600) * 1000 : null;
  },
  explainRefusal: (status) =>
    status === CONFLICT
      ? 'another program asks for what is written to the Telegram bot: nobody can acknowledge there'
      : 'Telegram does not say what is written to the bot',
};

const askBot = (bot: TelegramSettings, verb: string, body: unknown) =>
  writeJsonRequest(atBot(bot, verb), body);

const passed = (updateId: number): Pick<Update, 'nextPosition'> => ({ nextPosition: String(updateId + 1) });

function hear({ callback_query: pressed, message }: Given): Heard | null {
  if (pressed) {
    // In a group anybody could press it in the name of whoever added the chat.
    if (pressed.message?.chat?.type !== 'private') return null;
    const isOwn = pressed.message.chat.id === pressed.from?.id;
    return {
      kind: 'pressed',
      to: { pressId: pressed.id },
      address: isOwn ? String(pressed.from.id) : null,
      ...(readButtonData(pressed.data ?? '') ?? NOTHING_PRESSED),
    };
  }
  if (message?.chat?.type !== 'private' || message.text === undefined) return null;
  const { chat, text } = message;
  const replied = message.reply_to_message?.message_id;
  const repliedTo = replied === undefined ? null : `${chat.id}:${replied}`;
  return { kind: 'written', to: { chatId: chat.id }, address: String(chat.id), text, repliedTo };
}

const NOTHING_PRESSED = { verb: 'acknowledge', letterId: null } as const;
