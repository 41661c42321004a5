import type postgres from 'postgres'
import { driver } from './driver.ts'

/**
 * Has connections that are reserved (every transaction is one) end with what they were connected to. The driver lends a
 * connection out and does not tell its holder when it closes: the next statement would end the process, or, when the driver
 * has connected it anew for somebody else by then, run in the middle of their transaction; and what is given back closed is
 * lent out again. So a statement on a lost connection is refused here, and a lost connection is not given back: the driver has
 * it already.
 */
export function refuseLost(sql: postgres.Sql): postgres.Sql {
  const reserve = sql.reserve.bind(sql)
  return Object.assign(sql, { reserve: async () => refusingWhenLost(await reserve()) })
}

/** What the driver's own transactions do to learn of an end: its types do not name it. */
type Pending = Promise<unknown> & {
  readonly options: { onexecute?: (connection: { onclose: ((error: unknown) => void) | null }) => boolean }
}

function refusingWhenLost(held: postgres.ReservedSql): postgres.ReservedSql {
  let lost: unknown = null
  let forget: (() => void) | null = null
  const checked =
    <Run extends (...args: never[]) => unknown>(run: Run) =>
    (...args: Parameters<Run>) => {
      // There is nothing left to take back, and its failure would hide the one that led to it.
      if (lost && args[0] === 'rollback') return Promise.resolve(Object.assign([], { command: 'ROLLBACK', count: 0 }))
      if (lost) throw lost
      const pending = run(...args)
      // Not a query: a part of one, or an identifier.
      if (!isPending(pending)) return pending
      if (!forget) {
        pending.options.onexecute = (connection) => {
          connection.onclose = (error) => {
            lost ??= error
          }
          forget = () => {
            connection.onclose = null
          }
          return true
        }
      }
      pending.catch((error: unknown) => {
        if (endsConnection(error)) lost ??= error
      })
      return pending
    }
  return new Proxy(held, {
    apply: (target, _this, args: Parameters<postgres.ReservedSql>) => checked(target as never)(...(args as never)),
    get(target, name) {
      if (name === 'unsafe') return checked(target.unsafe as never)
      if (name !== 'release') return Reflect.get(target, name)
      return () => {
        if (lost) return
        forget?.()
        target.release()
      }
    },
  })
}

const isPending = (value: unknown): value is Pending =>
  value instanceof Promise && 'options' in value && typeof value.options === 'object'

/** Whether nothing can follow on the connection that failed so: it broke, or the server has hung up. */
function endsConnection(error: unknown): boolean {
  if (error instanceof driver.PostgresError) return error.severity === 'FATAL' || error.severity === 'PANIC'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ERR_STREAM)/.test(code)
}
