/** The HTTP methods of the operations. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
