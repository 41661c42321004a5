import { createRest, type RestOptions } from '#web/browser/adapters/rest/rest.ts'

/** A request as the network sees it. */
export type Sent = {
  url: string
  method: string
  headers: Record<string, string>
  body: unknown
  init: RequestInit
}

type Answer = (sent: Sent, at: number) => Response | Promise<Response>

/** A client whose requests are answered in turn; the last answer also answers what comes after it. */
export function aRest(answers: Answer | readonly Answer[], options: Partial<RestOptions> = {}) {
  const sent: Sent[] = []
  const answersInOrder = Array.isArray(answers) ? answers : [answers]
  const rest = createRest({
    root: 'https://shop.test/wp-json/',
    ...options,
    fetch: async (url, init) => {
      const { method = 'GET', headers, body } = init
      const one = { url, method, headers: { ...Object(headers) }, body, init }
      sent.push(one)
      const answer = answersInOrder[Math.min(sent.length, answersInOrder.length) - 1]
      return answer(one, sent.length - 1)
    },
  })
  return { rest, sent }
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers })

export const text =
  (body: string, status = 200, headers: Record<string, string> = {}) =>
  () =>
    new Response(body, { status, headers })

/** An error in the interface's own form. */
export const refused = (code: string, status = 403, message = 'No.') =>
  json({ code, message, data: { status } }, status)

/** What a promise is rejected with. */
export async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
