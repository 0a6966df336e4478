import type { Calls } from '../record/sms-maker.ts';
import { callsBeside } from './addresses.ts';
import { findVoice, writeCall, writeLastWords, writePinQuestion } from './write-call.ts';

export const calls: Calls = {
  post: ({ spoken, answer, language }, to, { url, headers, from }, action) => {
    const form = new URLSearchParams({
      To: to,
      From: from,
      Timeout: '30',
      Twiml: writeCall(spoken, action, answer, language),
    });
    return {
      url: callsBeside(url),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: form.toString(),
    };
  },
  readKeys: ({ CallSid: callId = '', Digits: keys }) => ({ callId, keys }),
  sayAlarm: writeCall,
  askPin: writePinQuestion,
  sayLast: writeLastWords,
  speaks: (language) => language.tag === 'en' || findVoice(language) !== null,
  type: 'text/xml',
};
