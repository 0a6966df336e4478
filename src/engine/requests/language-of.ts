import type { FastifyRequest } from 'fastify';
import { english } from '../../domain/language/english.ts';
import type { Language } from '../../domain/language/speak.ts';
import { chooseLanguage, findLanguage } from '../../platform/languages/languages.ts';

/** In which language a request is answered where people read it: as was chosen, else as its browser asks. */
export const languageOf = ({ signedIn, headers }: FastifyRequest): Language =>
  findLanguage(...(signedIn?.languages ?? [])) ?? chooseLanguage(headers['accept-language']) ?? english;
