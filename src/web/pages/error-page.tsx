import { urls } from '#contract/urls.ts'
import { useShop } from '../parts/shop-context.tsx'

/** Shown when there is no page here (404) or none could be made. The id leads to the entry in the log. */
export function ErrorPage({ status, message, requestId }: { status: number; message: string; requestId: string }) {
  const { t } = useShop()
  return (
    <article className="content-page">
      <p className="error-status" aria-hidden="true">
        {status}
      </p>
      <h1 className="entry-title">{status === 404 ? t('This page is not here') : t('Something went wrong')}</h1>
      <p>{message}</p>
      {status >= 500 && (
        <p className="error-id">{t('If you write to us about this, please name the number %s.', requestId)}</p>
      )}
      <p>
        <a className="button alt" href={urls.shop()}>
          {t('Go to the shop')}
        </a>
      </p>
    </article>
  )
}
