import { canAnswer } from '../../../domain/accounts/phone-pin.ts';
import { message } from '../../../domain/language/message.ts';
import { readRetryAfter } from '../../../platform/outbound/retry-after.ts';
import { shorten } from '../../letters/fit-text.ts';
import { writeJsonRequest } from '../../letters/webhook-kind.ts';
import type { Message } from '../record/message.ts';
import type { PersonKind } from '../record/person-kind.ts';
import { OTHER_ADDRESS, type SetProvider, TOKEN } from '../record/provider.ts';
import { asId, readJson } from '../record/read-answer.ts';
import { hostOf, readAddress, readText } from '../record/read-given.ts';
import { atBot, type TelegramSettings } from './at-bot.ts';
import { writeButtonData } from './button-data.ts';
import { updates } from './hear-updates.ts';

const provider: SetProvider<'telegram', TelegramSettings> = {
  name: 'telegram',
  label: message('Telegram'),
  read: (given) => ({
    token: readText(given, 'token'),
    url: readAddress(given, 'https://api.telegram.org'),
  }),
  describe: ({ url }) => hostOf(url),
  form: {
    about: message('By a bot of your own. People acknowledge with a button.'),
    fields: [
      {
        name: 'token',
        label: message('Token of the bot'),
        hint: message('Write to @BotFather in Telegram to make a bot; it answers with the token.'),
        secret: TOKEN,
      },
      OTHER_ADDRESS,
    ],
  },
  secretsOf: ({ token }) => [token],
  ask: (bot) => ({
    name: 'Telegram',
    url: atBot(bot, 'getMe'),
    isThanks: (text) => /"ok"\s*:\s*true/.test(text),
  }),
  updates,
};

export const telegram: PersonKind<typeof provider> = {
  label: message('Telegram'),
  addressLabel: message('Chat id'),
  hint: message('Write to the bot of your lab first; bots such as @userinfobot show your id.'),
  secretLabel: null,
  provider,
  readAddress: (typed) => (/^-?\d{1,20}$/.test(typed.trim()) ? typed.trim() : null),
  isPersonsAddress: false,
  post: (message, { address }, bot) => {
    const buttons = writeButtons(message, address);
    return writeJsonRequest(atBot(bot, 'sendMessage'), {
      chat_id: address,
      text: shorten(`${message.title}\n${message.text}`, 4096),
      link_preview_options: { is_disabled: true },
      ...(buttons.length > 0 && { reply_markup: { inline_keyboard: [buttons] } }),
    });
  },
  isThanks: (text) => readJson(text).ok === true,
  findId: (text) => {
    const { message_id: id, chat } = (readJson(text).result ?? {}) as Record<string, { id?: unknown }>;
    return asId(chat?.id) && asId(id) && `${asId(chat?.id)}:${asId(id)}`;
  },
  // It stands in the answer, not in a header.
  readPause: (text, now) => {
    const [, seconds] = /"retry_after"\s*:\s*(\d{1,5})/.exec(text) ?? [];
    return seconds === undefined ? null : readRetryAfter(seconds, now);
  },
  // The person blocked the bot, or deleted the chat.
  isGone: ({ status, text }) => status === 403 && /blocked by the user|user is deactivated/.test(text),
};

function writeButtons({ id, answer, link, language }: Message, chat: string): object[] {
  const { say } = language;
  // In a group anybody could press it in the name of whoever added the chat.
  const isOwnChat = !chat.startsWith('-');
  return [
    ...(answer !== 'nothing' && isOwnChat
      ? [
          ...(canAnswer(answer)
            ? [{ text: say('Acknowledge'), callback_data: writeButtonData('ack', id) }]
            : []),
          { text: say('I cannot go'), callback_data: writeButtonData('pass', id) },
        ]
      : []),
    ...(link ? [{ text: say('Open Tocsin'), url: link.url }] : []),
  ];
}
