import type { NoticeFacts } from '#shop/cart-facts.ts'
import { Html } from './html.tsx'

/** The messages of one request in the order in which they are read: what failed, what was done, what is good to know. */
export function Notices({ notices }: { notices: readonly NoticeFacts[] }) {
  const errors = notices.filter((notice) => notice.kind === 'error')
  return (
    <>
      {errors.length > 0 && (
        <ul className="woocommerce-error" role="alert">
          {errors.map((notice) => (
            <Html as="li" key={`${notice.field ?? ''}${notice.html}`} data-id={notice.field} html={notice.html} />
          ))}
        </ul>
      )}
      {notices
        .filter((notice) => notice.kind === 'success')
        .map((notice) => (
          <Notice key={notice.html} notice={notice} />
        ))}
      {notices
        .filter((notice) => notice.kind === 'notice')
        .map((notice) => (
          <Notice key={notice.html} notice={notice} />
        ))}
    </>
  )
}

/** One message in a block of its own. */
export function Notice({ notice }: { notice: NoticeFacts }) {
  if (notice.kind === 'error') {
    return (
      <ul className="woocommerce-error" role="alert">
        <Html as="li" data-id={notice.field} html={notice.html} />
      </ul>
    )
  }
  const success = notice.kind === 'success'
  return (
    <Html
      className={success ? 'woocommerce-message' : 'woocommerce-info'}
      role={success ? 'alert' : 'status'}
      data-id={notice.field}
      html={notice.html}
    />
  )
}
