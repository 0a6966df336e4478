// The configuration with what its file of channels says: platform/config.ts knows no provider.
import { type Config, readConfig } from '../../platform/config.ts';
import { StartError } from '../../platform/start-error.ts';
import { NO_CHANNELS } from '../providers/providers.ts';
import { readChannels } from '../providers/read-channels.ts';
import type { Environment } from './in-force.ts';

export type ProgramConfig = Config & Environment;

export function readEnvironment(env: Record<string, string | undefined>): ProgramConfig {
  const config = readConfig(env);
  const channels = config.channelsFile === null ? NO_CHANNELS : readChannels(config.channelsFile);
  if (typeof channels === 'string') throw new StartError(`The file of TOCSIN_CHANNELS ${channels}`);
  return { ...config, channels };
}
