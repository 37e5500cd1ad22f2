variable "company" {
  type        = string
  default     = "wayne"
  description = "The path of the company's group."
}

variable "services" {
  description = "Every project: the room where it is talked about, its key in the tracker, and whether anybody is woken up for it."

  type = map(object({
    room    = string
    tracker = optional(string)
    on_call = optional(bool, false)
  }))

  default = {
    gadgets = { room = "#gadgets", tracker = "GAD", on_call = true }
    garage  = { room = "#garage", tracker = "GAR" }
    manor   = { room = "#household" }
  }
}

variable "tracker" {
  type        = string
  default     = "https://tracker.wayne.example"
  description = "Where issues are kept."
}

variable "tracker_password" {
  type        = string
  sensitive   = true
  description = "What the tracker knows the host by."
}

variable "chat_secret" {
  type        = string
  sensitive   = true
  description = "The part of the chat's address that nobody else may know."
}

variable "build_password" {
  type        = string
  sensitive   = true
  description = "What the old build server knows the host by."
}
