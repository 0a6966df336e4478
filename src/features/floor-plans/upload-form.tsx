import type { ComponentChildren } from 'preact';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { FLOOR_PLANS } from './paths.ts';
import { MOST_MEGABYTES } from './picture-most.ts';

interface UploadFormProps {
  organization: { id: number };
  fault: string | null;
  /** Says which place it is of. */
  children: ComponentChildren;
}

export const UploadForm = ({ organization, fault, children }: UploadFormProps) => {
  const { say } = useLanguage();
  return (
    <form
      method="post"
      enctype="multipart/form-data"
      action={settingsPath(`${FLOOR_PLANS}/upload`, organization)}
    >
      {children}
      <Field
        name="picture"
        label={say('Picture')}
        hint={say(
          'PNG or JPEG, at most {megabytes} MB and 24 million pixels. It is drawn anew: nothing else that the file says is kept, such as where a photograph was taken.',
          { megabytes: MOST_MEGABYTES },
        )}
        error={fault ?? undefined}
        input={{ type: 'file', accept: 'image/png,image/jpeg', required: true }}
      />
      <button type="submit" class="button-primary">
        {say('Upload')}
      </button>
    </form>
  );
};
