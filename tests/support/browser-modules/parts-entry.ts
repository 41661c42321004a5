import '#web/browser/main.ts'
import { messageFor, showError } from '#web/browser/adapters/notices/notices.ts'
import { growl } from '#web/browser/adapters/notices/toast.ts'
import { block, unblock } from '#web/browser/runtime/overlay.ts'

/** What other scripts of the shop import, within a test's reach. */
Object.assign(window, { parts: { block, unblock, growl, showError, messageFor } })
