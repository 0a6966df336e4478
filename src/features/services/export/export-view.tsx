import { useLanguage } from '../../../platform/html/language.tsx';
import { Select } from '../../../platform/html/select.tsx';
import { TimeField } from '../../../platform/html/time-field.tsx';
import type { ShownService } from '../shown-service/queries.ts';

export const ExportForm = ({ service }: { service: ShownService }) => {
  const { say, sayAs } = useLanguage();
  return service.channels.length === 0 ? null : (
    <section class="card" aria-labelledby="export-title">
      <h2 id="export-title">{say('Export readings')}</h2>
      <form method="get" action={`/services/${service.id}/readings.csv`} class="filter">
        <TimeField
          id="export-from"
          name="from"
          label={sayAs('a time', 'From')}
          hint={say('Left blank: the last 7 days.')}
        />
        <TimeField id="export-to" name="to" label={sayAs('a time', 'Until')} />
        <Select
          id="export-channel"
          name="channel"
          label={say('Channel')}
          options={[
            ['', sayAs('channels', 'All')],
            ...service.channels.map(({ name, label }) => [name, label ?? name] as const),
          ]}
        />
        <div class="actions">
          <button type="submit">{say('Download CSV')}</button>
          <button type="submit" formaction={`/services/${service.id}/readings.parquet`}>
            {say('Download Parquet')}
          </button>
        </div>
      </form>
    </section>
  );
};
