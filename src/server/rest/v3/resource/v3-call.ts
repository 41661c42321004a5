import { z } from 'zod'
import { recordAccess } from '#database/customers/access-log.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { type Call, defineCall, type LoadClass, type Method } from '../../../calls/shared/define-call.ts'
import { noRoute, refuse } from '../../../calls/shared/refuse-call.ts'
import { BadBody } from '../../../http/request/body-limits.ts'
import type { Visit } from '../../../http/visit.ts'
import { type Caller, callerOf } from '../authenticate.ts'
import { invalidParameters } from '../response-fields.ts'
import { perhapsLinkedAnswer } from './linked-record.ts'
import { V3Error } from './v3-error.ts'

/** A batch of 100 products with their descriptions fits. */
const mostBytes = 4 * 1024 * 1024

/** One request of REST v3 after its authentication. */
export type V3Context = {
  readonly visit: Visit
  readonly tools: Tools
  readonly caller: Caller
  /** Values of the path: `{ product_id: '12' }`. */
  readonly path: Readonly<Record<string, string>>
  /** Records an access to personal data. @param subject `order:12` */
  record(action: string, subject: string): Promise<void>
}

type V3CallSpec<Input extends z.ZodType> = {
  /** Below `wc/v3`: `orders/:id/notes`. Members of the path are digits, unless `texts` names them. */
  name: string
  texts?: readonly string[]
  method: Method
  alsoMethods?: readonly Method[]
  summary: string
  /** Group of the description: `orders`. */
  tag: string
  input: Input
  /** Schema of a successful body. */
  output: z.ZodType
  status?: 200 | 201 | 202
  /** Member of the input for the entries of a JSON array, where the body may be one. */
  listName?: string
  load?: LoadClass
  answer(context: V3Context, input: z.output<Input>): Promise<Response>
}

/**
 * Declares a call of REST v3. Authentication comes before parsing: unauthorized callers learn nothing about the
 * parameters. Errors of type `V3Error` become answers.
 */
export function v3Call<Input extends z.ZodType>(spec: V3CallSpec<Input>): Call {
  const { name, method, alsoMethods, input, output, status, summary, tag, load = 'personal-page', answer } = spec
  const isRead = method === 'GET'
  const members = [...name.matchAll(/:(\w+)/g)].map(([, member = '']) => member)
  return defineCall({
    name,
    namespace: 'wc/v3',
    door: 'rest',
    method,
    ...(alsoMethods ? { alsoMethods } : {}),
    input: z.record(z.string(), z.unknown()),
    body: 'own',
    output: 'json',
    identity: 'consumer-key',
    idempotency: isRead ? 'safe' : method === 'POST' ? 'each-counts' : 'natural',
    load,
    cache: 'private-no-store',
    forgery: isRead ? { none: 'safe method' } : { checkedByCall: 'wp_rest' },
    description: {
      summary,
      tag,
      ...(isRead ? { query: input } : { body: input }),
      response: perhapsLinkedAnswer(output),
      ...(status ? { status } : {}),
      ...(spec.texts ? { textPath: spec.texts } : {}),
    },
    async answer(visit, given) {
      const caller = await callerOf(visit, isRead ? 'read' : 'write')
      if (caller instanceof Response) return caller
      const path = Object.fromEntries(members.map((member) => [member, String(given[member])]))
      const isPath = members.every((member) => spec.texts?.includes(member) || /^\d{1,15}$/.test(path[member] ?? ''))
      if (!isPath) return noRoute()
      try {
        const body = isRead ? {} : await visit.fields(mostBytes, spec.listName)
        const read = input.safeParse({ ...given, ...body, ...path })
        if (!read.success) return invalidParameters(read.error)
        return await answer(contextOf(visit, caller, path), read.data)
      } catch (error) {
        if (error instanceof BadBody) {
          return refuse({ door: 'rest' }, error.status, 'rest_invalid_json', 'Invalid JSON body passed.')
        }
        if (error instanceof V3Error) return errorAnswer(error)
        throw error
      }
    },
  })
}

function contextOf(visit: Visit, caller: Caller, path: Readonly<Record<string, string>>): V3Context {
  const { tools } = visit.app
  return {
    visit,
    tools,
    caller,
    path,
    record: (action, subject) =>
      recordAccess(tools.db.kysely, { at: tools.clock.now(), who: caller.who, action, subject }),
  }
}

const errorAnswer = ({ status, body }: V3Error) => Response.json(body, { status })
