// Events of ChirpStack 4, as its HTTP integration posts them in JSON.

import { findJsonFault, parseJson } from '../json/parse-json.ts';
import { message } from '../language/message.ts';
import { fault } from '../readings/refused.ts';
import { CODEC_SETTINGS, type CodecSettings, readUplink } from './codec.ts';
import { openGathering, type WayPost } from './gather-readings.ts';
import { textOf, type WayOfOthers, type WayRules } from './way-in.ts';
import { addAll, objectAt, timeAt } from './webhook-body.ts';

interface ChirpstackAddress {
  event: string;
}

export const chirpstack: WayOfOthers<CodecSettings, ChirpstackAddress> = {
  settings: CODEC_SETTINGS,
  isRadio: true,
  read: (body, address, rules) => readChirpstack(textOf(body), { ...address, ...rules }),
  tryOut: (body, _, rules) => readChirpstack(textOf(body), { event: 'up', ...rules }),
};

/** `event` is what the address says. Joins, acknowledgements and the like carry no reading. */
export function readChirpstack(
  text: string,
  { event, settings, receivedAt }: ChirpstackAddress & WayRules<CodecSettings>,
): WayPost {
  const gathering = openGathering(settings, receivedAt, 'network');
  const body = parseJson(text);
  if (body === undefined) gathering.refuse(0, findJsonFault(text));
  if (body === undefined || event !== 'up') return gathering.post;
  const { deviceInfo, object, time, data, fPort } = objectAt(body);
  const { devEui, deviceProfileName: model, tags } = objectAt(deviceInfo);
  if (typeof devEui !== 'string') {
    gathering.refuse(0, fault(message('names no deviceInfo.devEui')));
    return gathering.post;
  }
  const networkAt = timeAt(time);
  const sent = { index: 0, device: devEui.toLowerCase(), deviceAt: null, networkAt, model };
  const take = (values: unknown, isOneOfSeveral = false) => {
    if (gathering.begin(isOneOfSeveral ? { ...sent, measuredAt: null } : sent)) addAll(gathering, values);
  };
  const recvTime = networkAt ?? receivedAt;
  const uplink = readUplink(settings, { payload: data, fPort, recvTime, variables: tags });
  if (object !== undefined && object !== null) take(object);
  else if (uplink)
    gathering.post.undecoded = [
      {
        index: 0,
        uplink,
        take: (payloads) => {
          for (const payload of payloads) take(payload, payloads.length > 1);
        },
      },
    ];
  else
    gathering.refuse(
      0,
      fault(message('has no object: the device profile has no codec that decodes the payload')),
    );
  return gathering.post;
}
