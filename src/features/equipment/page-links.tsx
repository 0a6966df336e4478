import { useLanguage } from '../../platform/html/language.tsx';

interface PageLinksProps {
  /** Of what, for people who hear the page. */
  label: string;
  page: number;
  hasMore: boolean;
  pageAt(page: number): string;
}

export const PageLinks = ({ label, page, hasMore, pageAt }: PageLinksProps) => {
  const { say } = useLanguage();
  return page > 1 || hasMore ? (
    <nav class="actions" aria-label={label}>
      {page > 1 && (
        <a class="button" href={pageAt(page - 1)}>
          {say('Earlier in the list')}
        </a>
      )}
      {hasMore && (
        <a class="button" href={pageAt(page + 1)}>
          {say('Further in the list')}
        </a>
      )}
    </nav>
  ) : null;
};
