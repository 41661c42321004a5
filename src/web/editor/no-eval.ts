import { z } from 'zod'

// The schemas would try whether code may be made of text; the page's policy forbids it, and the browser reports the try.
z.config({ jitless: true })
