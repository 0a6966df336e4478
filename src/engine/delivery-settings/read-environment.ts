// The configuration with what its file of providers says: platform/config.ts knows no provider.
import { type Config, readConfig } from '../../platform/config.ts';
import { StartError } from '../../platform/start-error.ts';
import { NO_PROVIDERS } from '../providers/providers.ts';
import { readProviderSettings } from '../providers/read-provider-settings.ts';
import type { DeliveryEnvironment } from './in-force.ts';

export type ProgramConfig = Config & DeliveryEnvironment;

export function readEnvironment(env: Record<string, string | undefined>): ProgramConfig {
  const config = readConfig(env);
  const providers = config.channelsFile === null ? NO_PROVIDERS : readProviderSettings(config.channelsFile);
  if (typeof providers === 'string') throw new StartError(`The file of TOCSIN_CHANNELS ${providers}`);
  return { ...config, providers };
}
