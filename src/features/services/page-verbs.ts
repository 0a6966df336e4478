// What the forms on the page of a service ask for, beside its edit form.
import type { Requester } from '../../domain/accounts/requester.ts';
import { findResultId } from '../../domain/advisor/result-id.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { plainTime } from '../../domain/local-time.ts';
import type { Result } from '../../domain/result.ts';
import type { ActRefusal } from '../../domain/words/act-words.ts';
import { applyRecommendation } from '../../engine/acts/apply-recommendation.ts';
import { cancelDowntime } from '../../engine/acts/cancel-downtime.ts';
import { recommend } from '../../engine/acts/recommend.ts';
import { scheduleDowntime } from '../../engine/acts/schedule-downtime.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { deleteBand } from './limits/delete-band.ts';
import { rename } from './service-page/rename.ts';
import type { VerbName } from './shown-service/page-form.tsx';

type PageVerb = (
  tx: Tx,
  requester: Requester,
  input: { serviceId: ServiceId; form: FormFields },
  now: Date,
) => Promise<Result<unknown, ActRefusal>>;

export const PAGE_VERBS: Record<VerbName, PageVerb> = {
  'schedule-downtime': (tx, requester, { serviceId, form }, now) => {
    const { start_time: startTime = '', end_time: endTime = '', reason = '' } = form;
    const times = { startTime: plainTime(startTime), endTime: plainTime(endTime) };
    return scheduleDowntime(tx, requester, { serviceId, ...times, reason }, now);
  },
  'cancel-downtime': (tx, requester, { form }, now) =>
    cancelDowntime(tx, requester, { downtimeId: readPageId(form.downtime_id) ?? 0 }, now),
  'delete-band': deleteBand,
  rename,
  recommend,
  'apply-recommendation': (tx, requester, { serviceId, form }, now) =>
    applyRecommendation(
      tx,
      requester,
      { serviceId, resultId: findResultId(form.result_id ?? '') ?? '0' },
      now,
    ),
};
