import type { FastifyReply } from 'fastify';

/** Whatever it were, a browser takes it for a picture and nothing else, and keeps it for its own reader alone. */
export const sendPicture = (reply: FastifyReply, picture: Buffer): FastifyReply =>
  reply
    .header('cache-control', 'private, max-age=3600')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-disposition', 'inline; filename="floor-plan.png"')
    .header('content-type', 'image/png')
    .send(picture);
