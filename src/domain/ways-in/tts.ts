// Messages of The Things Stack 3, as its webhooks post them in JSON. Fields that are zero, empty or false are left out there.

import { findJsonFault, parseJson } from '../json/parse-json.ts';
import { message } from '../language/message.ts';
import { fault } from '../readings/refused.ts';
import { CODEC_SETTINGS, type CodecSettings, readUplink } from './codec.ts';
import { openGathering, type WayPost } from './gather-readings.ts';
import { type StorageSettings, storage } from './tts-storage.ts';
import { textOf, type WayOfOthers, type WayRules } from './way-in.ts';
import { addAll, isFilled, type JsonObject, objectAt, timeAt } from './webhook-body.ts';

interface TtsSettings extends CodecSettings {
  /** Where it stores messages, for those that were missed. */
  storage?: StorageSettings;
}

interface TtsAddress {
  /** What the address says, where a field mask leaves the device out; empty: nothing. */
  device: string;
}

export const tts: WayOfOthers<TtsSettings, TtsAddress> = {
  settings: { ...CODEC_SETTINGS, storage },
  isRadio: true,
  read: (body, address, rules) => readTts(textOf(body), { ...address, ...rules }),
  tryOut: (body, _, rules) => readTts(textOf(body), { device: '?', ...rules }),
};

const MOST_MEASUREMENTS = 500;

/** Joins, downlinks and simulated messages carry no reading. */
export function readTts(
  text: string,
  { device: named, settings, receivedAt }: TtsAddress & WayRules<CodecSettings>,
): WayPost {
  const gathering = openGathering(settings, receivedAt, 'network');
  const body = parseJson(text);
  if (body === undefined) gathering.refuse(0, findJsonFault(text));
  const envelope = objectAt(body);
  const uplink = envelope.uplink_message ?? envelope.uplink_normalized;
  if (uplink === undefined || envelope.simulated === true) return gathering.post;
  const device = findDevice(envelope, named);
  const payloads = findPayloads(objectAt(uplink));
  const { frm_payload: raw, f_port: fPort, attributes, version_ids: version } = objectAt(uplink);
  const { model_id: model } = objectAt(version);
  const networkAt = timeAt(objectAt(uplink).received_at) ?? timeAt(envelope.received_at);
  if (device === null) {
    gathering.refuse(0, fault(message('names no end_device_ids.dev_eui')));
    return gathering.post;
  }
  if (payloads.length > MOST_MEASUREMENTS) {
    gathering.refuse(
      0,
      fault(message('a message may hold at most {most} measurements'), { most: MOST_MEASUREMENTS }),
    );
    return gathering.post;
  }
  const take = ({ time, ...values }: JsonObject, _: number, { length }: readonly unknown[]) => {
    const measuredAt = timeAt(time);
    const sent = { index: 0, device, deviceAt: measuredAt, networkAt, model };
    if (gathering.begin(length > 1 ? { ...sent, measuredAt } : sent)) addAll(gathering, values);
  };
  const recvTime = networkAt ?? receivedAt;
  const undecoded = readUplink(settings, { payload: raw, fPort, recvTime, variables: attributes });
  if (payloads.length > 0) payloads.forEach(take);
  else if (undecoded)
    gathering.post.undecoded = [{ index: 0, uplink: undecoded, take: (decoded) => decoded.forEach(take) }];
  else
    gathering.refuse(
      0,
      fault(message('has no decoded_payload: the device has no payload formatter, or it failed')),
    );
  return gathering.post;
}

function findDevice({ end_device_ids: ids }: JsonObject, named: string): string | null {
  const { dev_eui: eui, device_id: id } = objectAt(ids);
  const device = [eui, named, id].find((key) => typeof key === 'string' && key !== '');
  return typeof device === 'string' ? device.toLowerCase() : null;
}

/** The names that The Things Stack agreed on before those of the device's maker. One message may hold several measurements. */
function findPayloads({
  normalized_payload: normalized,
  decoded_payload: decoded,
}: JsonObject): JsonObject[] {
  const measured = [normalized].flat().map(objectAt).filter(isFilled);
  return measured.length > 0 ? measured : [objectAt(decoded)].filter(isFilled);
}
