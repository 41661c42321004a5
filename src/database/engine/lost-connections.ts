import type postgres from 'postgres'
import { driver } from './driver.ts'

/**
 * Has connections that are reserved (every transaction is one) end with what they were connected to. The driver lends a
 * connection out and does not tell its holder when it closes: the next statement would end the process, or, when the driver
 * has connected it anew for somebody else by then, run in the middle of their transaction; and what is given back closed is
 * lent out again. So a statement on a lost connection is refused here, and a lost connection is not given back: the driver has
 * it already. Nor is one given back twice, or asked anything behind that: it may be somebody else's by then.
 */
export function rejectLostConnections(sql: postgres.Sql): postgres.Sql {
  const reserve = sql.reserve.bind(sql)
  const end = sql.end.bind(sql)
  let ended = false
  return Object.assign(sql, {
    // The driver would open a pool that was closed.
    reserve: async () => {
      if (ended) throw Object.assign(new Error('the pool of connections is closed'), { code: 'CONNECTION_ENDED' })
      return refusingWhenLost(await reserve())
    },
    end: (options?: { timeout?: number }) => {
      ended = true
      return end(options)
    },
  })
}

/** What the driver knows more of than its types name; the connection is shown by `driver.ts`. */
type Held = postgres.ReservedSql & { readonly connection: { onclose: ((error: unknown) => void) | null } }
type Pending = Promise<unknown> & { readonly reject: (error: unknown) => void }

/** Whom to tell of the end of a reserved connection. */
const told = new WeakMap<postgres.ReservedSql, Promise<void>>()

/** Resolves when a connection that was reserved is lost; never when it is given back. */
export function connectionLoss(held: postgres.ReservedSql): Promise<void> {
  return told.get(held) ?? new Promise(() => {})
}

function refusingWhenLost(held: postgres.ReservedSql): postgres.ReservedSql {
  const { connection } = held as Held
  const end = Promise.withResolvers<void>()
  const unanswered = new Set<Pending>()
  let refusal: unknown = null
  let lost = false
  /** The driver forgets what has waited for an answer to be sent, and whoever awaits that would wait for ever. */
  const refuseFromNowOn = (error: unknown) => {
    refusal ??= error
    for (const pending of unanswered) pending.reject(refusal)
  }
  const lose = (error: unknown) => {
    if (refusal) return
    lost = true
    refuseFromNowOn(error)
    end.resolve()
  }
  connection.onclose = lose
  const checked =
    <Run extends (...args: never[]) => unknown>(run: Run) =>
    (...args: Parameters<Run>) => {
      // There is nothing left to take back, and its failure would hide the one that led to it.
      if (lost && args[0] === 'rollback') return rolledBack()
      if (refusal) throw refusal
      const pending = run(...args)
      // Not a query: a part of one, or an identifier.
      if (!isPending(pending)) return pending
      unanswered.add(pending)
      const seen = pending.then(
        (answer) => {
          unanswered.delete(pending)
          return answer
        },
        (error: unknown) => {
          unanswered.delete(pending)
          if (endsConnection(error)) lose(error)
          return error
        },
      )
      if (args[0] !== 'rollback') return pending
      return seen.then((answer) => (lost ? rolledBack() : answer instanceof Error ? Promise.reject(answer) : answer))
    }
  const guarded = new Proxy(held, {
    apply: (target, _this, args: Parameters<postgres.ReservedSql>) => checked(target as never)(...(args as never)),
    get(target, name) {
      if (name === 'unsafe') return checked(target.unsafe as never)
      if (name !== 'release') return Reflect.get(target, name)
      return () => {
        if (refusal) return
        refuseFromNowOn(givenBack)
        connection.onclose = null
        target.release()
      }
    },
  })
  told.set(guarded, end.promise)
  return guarded
}

/** Made once: hardly anybody is told of it, and one with its stack for each transaction would be for the collector alone. */
const givenBack = new Error('the connection was given back')

/** A server rolls back whatever its client did not commit. */
const rolledBack = () => Promise.resolve(Object.assign([], { command: 'ROLLBACK', count: 0 }))

const isPending = (value: unknown): value is Pending => value instanceof Promise && 'reject' in value

/** Whether nothing can follow on the connection that failed so: it broke, or the server has hung up. */
function endsConnection(error: unknown): boolean {
  if (error instanceof driver.PostgresError) return error.severity === 'FATAL' || error.severity === 'PANIC'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ERR_STREAM)/.test(code)
}
