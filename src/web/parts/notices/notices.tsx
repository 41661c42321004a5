import type { ReactNode } from 'react'
import { messageId } from '#contract/notices/hooks.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { Html } from '../shared/html.tsx'
import { withoutLinks } from './page-notices.tsx'

type Props = {
  notices: readonly NoticeFacts[]
  /**
   * Whether they stand on a page that was loaded with them. It then begins with them: the first that failed, or was done, has
   * the focus, and what is about a field leads to it. In an answer both are the scripts' own doing.
   */
  loaded?: boolean
}

/** The messages of one request in the order in which they are read: what failed, what was done, what is good to know. */
export function Notices({ notices, loaded = false }: Props) {
  const errors = notices.filter((notice) => notice.kind === 'error')
  const successes = notices.filter((notice) => notice.kind === 'success')
  return (
    <>
      {errors.length > 0 && (
        <Errors focused={loaded}>
          {errors.map((notice, place) => (
            <ErrorItem
              key={`${notice.field ?? ''}${notice.html}`}
              notice={notice}
              first={errors.findIndex(({ field }) => field === notice.field) === place}
              linked={loaded}
            />
          ))}
        </Errors>
      )}
      {successes.map((notice, place) => (
        <Notice key={notice.html} notice={notice} focused={loaded && errors.length === 0 && place === 0} />
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
export function Notice({ notice, focused = false }: { notice: NoticeFacts; focused?: boolean }) {
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
      {...(focused && takesFocus)}
      html={notice.html}
    />
  )
}

/** An alert that was there from the beginning is not read by itself, and without scripts nothing else leads to it. */
const takesFocus = { tabIndex: -1, autoFocus: true }

/** What failed. The list is an alert to a screen reader and no list any more, so that its items say they are none. */
function Errors({ children, focused = false }: { children: ReactNode; focused?: boolean }) {
  return (
    <ul className="woocommerce-error" role="alert" {...(focused && takesFocus)}>
      {children}
    </ul>
  )
}

type Item = {
  notice: NoticeFacts
  /** Of those about the same field. It is the one that the field is described by. */
  first: boolean
  /** Whether it leads to its field. */
  linked?: boolean
}

function ErrorItem({ notice: { field, html }, first, linked = false }: Item) {
  const id = field !== undefined && first ? messageId(field) : undefined
  if (field === undefined || !linked) return <Html as="li" role="presentation" id={id} data-id={field} html={html} />
  // A message that leads elsewhere as well does so beside the link to the field: no link can lie in another.
  const { said, links } = withoutLinks(html)
  return (
    <li role="presentation" id={id} data-id={field}>
      <Html as="a" href={`#${field}`} html={said} />
      {links && <Html as="span" html={links} />}
    </li>
  )
}
