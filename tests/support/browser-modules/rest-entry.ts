import { createRest } from '#web/browser/adapters/rest/rest.ts'

/** The REST client, within a test's reach. */
Object.assign(window, { createRest })
