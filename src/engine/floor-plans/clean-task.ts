import type { CleanPicture } from '../../platform/picture/clean-picture.ts';
import type { PictureFaultWord } from '../../platform/picture/picture-fault.ts';

/** What the thread answers. */
export type CleanAnswer =
  | { ok: true; value: Omit<CleanPicture, 'png'> & { png: Uint8Array } }
  | { ok: false; refusal: PictureFaultWord };
