import type postgres from 'postgres'
import { driver } from './driver.ts'

/**
 * Ends reserved connections (every transaction uses one) together with their socket. The driver does not tell the
 * holder of a reserved connection that it closed: the next statement would end the process, or run in another user's
 * transaction if the driver has reconnected it meanwhile; and a closed connection that is released would be lent again.
 * Therefore a statement on a lost connection is rejected here, and a lost connection is not released: the driver has it
 * already. A released connection accepts neither a second release nor statements.
 */
export function rejectLostConnections(sql: postgres.Sql): postgres.Sql {
  const reserve = sql.reserve.bind(sql)
  const end = sql.end.bind(sql)
  let ended = false
  return Object.assign(sql, {
    // The driver would reopen a closed pool.
    reserve: async () => {
      if (ended) throw Object.assign(new Error('connection pool is closed'), { code: 'CONNECTION_ENDED' })
      return refusingWhenLost(await reserve())
    },
    end: (options?: { timeout?: number }) => {
      ended = true
      return end(options)
    },
  })
}

/** Members that are missing in the driver's types; `driver.ts` exposes the connection. */
type Held = postgres.ReservedSql & { readonly connection: { onclose: ((error: unknown) => void) | null } }
type Pending = Promise<unknown> & { readonly reject: (error: unknown) => void }

/** Notified of the end of a reserved connection. */
const told = new WeakMap<postgres.ReservedSql, Promise<void>>()

/** Resolves when a reserved connection is lost; never if it was released. */
export function connectionLoss(held: postgres.ReservedSql): Promise<void> {
  return told.get(held) ?? new Promise(() => {})
}

function refusingWhenLost(held: postgres.ReservedSql): postgres.ReservedSql {
  const { connection } = held as Held
  const end = Promise.withResolvers<void>()
  const unanswered = new Set<Pending>()
  let refusal: unknown = null
  let lost = false
  /** The driver drops statements that wait for an earlier answer, and their callers would wait for ever. */
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
      // There is nothing left to roll back, and its failure would hide the original error.
      if (lost && args[0] === 'rollback') return rolledBack()
      if (refusal) throw refusal
      const pending = run(...args)
      // A fragment of a query, or an identifier.
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

/** Shared: it is rarely seen, and one with a stack per transaction would be garbage. */
const givenBack = new Error('connection was already released')

/** A server rolls back uncommitted work of a lost client. */
const rolledBack = () => Promise.resolve(Object.assign([], { command: 'ROLLBACK', count: 0 }))

const isPending = (value: unknown): value is Pending => value instanceof Promise && 'reject' in value

/** Checks whether an error ends its connection: it broke, or the server closed it. */
function endsConnection(error: unknown): boolean {
  if (error instanceof driver.PostgresError) return error.severity === 'FATAL' || error.severity === 'PANIC'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ERR_STREAM)/.test(code)
}
