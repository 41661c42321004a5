import type { ReactNode } from 'react'
import { messageId } from '#contract/notice-hooks.ts'
import type { NoticeFacts } from '#shop/cart-facts.ts'
import { Html } from './html.tsx'

/** The messages of one request in the order in which they are read: what failed, what was done, what is good to know. */
export function Notices({ notices }: { notices: readonly NoticeFacts[] }) {
  const errors = notices.filter((notice) => notice.kind === 'error')
  return (
    <>
      {errors.length > 0 && (
        <Errors>
          {errors.map((notice, place) => (
            <ErrorItem
              key={`${notice.field ?? ''}${notice.html}`}
              notice={notice}
              first={errors.findIndex(({ field }) => field === notice.field) === place}
            />
          ))}
        </Errors>
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
      <Errors>
        <ErrorItem notice={notice} first />
      </Errors>
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

/** What failed. The list is an alert to a screen reader and no list any more, so that its items say they are none. */
function Errors({ children }: { children: ReactNode }) {
  return (
    <ul className="woocommerce-error" role="alert">
      {children}
    </ul>
  )
}

/** `first`: of those about the same field. It is the one that the field is described by. */
function ErrorItem({ notice: { field, html }, first }: { notice: NoticeFacts; first: boolean }) {
  const id = field !== undefined && first ? messageId(field) : undefined
  return <Html as="li" role="presentation" id={id} data-id={field} html={html} />
}
