import type { ReactNode } from 'react'
import { atFieldAttribute, messageId } from '#contract/notices/hooks.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { Html } from '../shared/html.tsx'
import { withoutLinks } from './page-notices.tsx'

type Props = {
  notices: readonly NoticeFacts[]
  /**
   * True on a page that was loaded with the notices: the first error or success has the focus, and messages about
   * fields link to them. In a response the scripts do both.
   */
  loaded?: boolean
}

/** The messages of a request in reading order: errors, successes, information. */
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

/** A message in a block of its own. */
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

/** An alert that is present at loading is not announced by itself, and without scripts only the focus leads to it. */
const takesFocus = { tabIndex: -1, autoFocus: true }

/** Errors. The alert role replaces the list's role for screen readers, so its items have no item role. */
function Errors({ children, focused = false }: { children: ReactNode; focused?: boolean }) {
  return (
    <ul className="woocommerce-error" role="alert" {...(focused && takesFocus)}>
      {children}
    </ul>
  )
}

type Item = {
  notice: NoticeFacts
  /** The first message about its field, which the field is described by. */
  first: boolean
  /** True if it links to its field. */
  linked?: boolean
}

function ErrorItem({ notice: { field, html, atField }, first, linked = false }: Item) {
  const id = field !== undefined && first ? messageId(field) : undefined
  if (field === undefined || !linked)
    return <Html as="li" role="presentation" id={id} data-id={field} {...{ [atFieldAttribute]: atField }} html={html} />
  // A message with a link of its own has the link to the field beside it: links cannot be nested.
  const { said, links } = withoutLinks(html)
  return (
    <li role="presentation" id={id} data-id={field}>
      <Html as="a" href={`#${field}`} html={said} />
      {links && <Html as="span" html={links} />}
    </li>
  )
}
