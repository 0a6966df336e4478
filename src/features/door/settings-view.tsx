import { ALL_DOOR_PARTS, DOOR_PARTS, type DoorPart, USUAL_DOOR_PARTS } from '../../domain/door/door-card.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';

export const DOOR_CARDS = '/settings/door-cards';

/** `parts` null: nobody is let in. */
export const DoorCardsPage = ({ frame, parts }: { frame: SettingsFrame; parts: DoorPart[] | null }) => {
  const language = useLanguage();
  const { say } = language;
  const shown = parts ?? USUAL_DOOR_PARTS;
  return (
    <SettingsPage title={say('Door cards')} frame={frame} current={DOOR_CARDS}>
      <p>
        {say(
          'Whoever stands before a unit that beeps scans its sticker. A door card says, without signing in, whether the alarm is known and somebody comes, not to switch the unit off, and whom to call; by a button they say that they are there.',
        )}
      </p>
      <PostForm class="card" organization={frame.organization} action={`${DOOR_CARDS}/save`}>
        <div class="field">
          <label class="check">
            <input type="checkbox" name="open" value="yes" checked={parts !== null} />{' '}
            {say('Stickers open door cards for everybody')}
          </label>
          <p class="hint">{say('Otherwise they lead to the sign-in.')}</p>
        </div>
        <fieldset>
          <legend>{say('Beside the alarm, a door card shows')}</legend>
          {ALL_DOOR_PARTS.map((part) => (
            <label key={part} class="check">
              <input type="checkbox" name={part} value="yes" checked={shown.includes(part)} />{' '}
              {say(DOOR_PARTS[part])}
            </label>
          ))}
        </fieldset>
        <button type="submit" class="button-primary">
          {say('Save')}
        </button>
      </PostForm>
      <p class="muted">
        {sayWith(
          language,
          'Stickers that were printed while there were no door cards lead to the sign-in: <a>print them anew</a>. A card that got about is renewed beside the sticker of its unit.',
          { a: (inside) => <a href="/stickers">{inside}</a> },
        )}
      </p>
    </SettingsPage>
  );
};
