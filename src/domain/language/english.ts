// What programs get, whoever asks, and what people read who chose nothing else.
import { catalogues } from 'tocsin:languages';
import { speak } from './speak.ts';

export const english = speak('en', catalogues.en ?? {});
