import { barHooks } from '#contract/notices/banner-hooks.ts'
import { cookie } from '../../runtime/cookies.ts'
import { closestTo } from '../../runtime/elements.ts'
import { listen } from '../../runtime/events.ts'

/** Shows the shop's notice unless the visitor has dismissed this very text before. */
export function startStoreNotice(notice: HTMLElement, hideBar: (bar: HTMLElement) => void): void {
  const name = `${barHooks.noticeCookie}${notice.dataset.noticeId ?? ''}`
  const look = () => {
    notice.hidden = cookie(name) === barHooks.noticeDismissed
    notice.classList.add(barHooks.shownClass)
  }
  look()
  // It may have been dismissed on a page that the visitor returns from.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) look()
  })
  // Enter and the space bar press the link too; scripts do so through jQuery, which calls only its own listeners.
  listen(notice, 'click', (event) => {
    if (!closestTo(event, barHooks.dismissNotice)) return
    event.preventDefault()
    const secure = location.protocol === 'https:' ? '; Secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and not in every browser.
    document.cookie = `${name}=${barHooks.noticeDismissed}; path=/; SameSite=Lax${secure}`
    hideBar(notice)
  })
}
